import type { KnownSecrets } from "../must-gather/known-secrets.ts";
import { withoutTellingParts } from "../must-gather/sensitive-text.ts";
import type { Explanation } from "./explain.ts";

/** Longer texts say the rest where they come from. */
const LONGEST = 400;

/** Drivers put what they were sent into their messages: values of Secrets, and what looks like one, are left out. */
export function redactedExplanation(explanation: Explanation, known: Pick<KnownSecrets, "scrub">): Explanation {
  const scrub = (text: string) => known.scrub(withoutTellingParts(text));
  return {
    ...explanation,
    findings: explanation.findings.map((finding) => ({
      ...finding,
      says: scrub(finding.says),
      // Cut afterwards: half of a secret would not be known as one.
      evidence: finding.evidence.map((each) => ({ ...each, value: shortened(scrub(each.value)) })),
    })),
  };
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
