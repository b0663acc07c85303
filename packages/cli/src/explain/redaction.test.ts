import { expect, it } from "vitest";
import type { Explanation } from "./explain.ts";
import { redactedExplanation } from "./redaction.ts";

it("leaves secrets out before it cuts long evidence: half of one would not be known", () => {
  const secret = "correct-horse-battery-staple";
  const value = `${"x".repeat(390)}${secret}${"y".repeat(100)}`;
  const explanation = {
    findings: [{ says: `it was ${secret}`, evidence: [{ object: "Pod a/b", field: "log", value }] }],
  } as unknown as Explanation;
  const known = { scrub: (text: string) => text.replaceAll(secret, "…") };
  const { findings } = redactedExplanation(explanation, known);
  expect(JSON.stringify(findings)).not.toContain("correct");
  expect(findings[0]?.evidence[0]?.value).toHaveLength(400);
});
