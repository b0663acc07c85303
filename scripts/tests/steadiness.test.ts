import { describe, expect, it } from "vitest";
import { steadinessOf, steadinessTable } from "./steadiness.ts";

const result = { file: "a.test.ts", passed: 1, failed: 0, skipped: 0, seconds: 2, failures: [] };

describe("the steadiness of a file", () => {
  it("counts a run that told nothing as failed", () => {
    const red = { ...result, failed: 1, seconds: 30, log: "logs/1" };
    expect(steadinessOf("a.test.ts", [result, undefined, red, { ...result, seconds: 1 }])).toEqual({
      file: "a.test.ts",
      times: 4,
      passed: 2,
      seconds: [1, 2, 30],
      logs: ["logs/1"],
    });
  });

  it("is told with how long it took, and the logs of failures", () => {
    const rows = [
      { file: "a.test.ts", times: 3, passed: 3, seconds: [1, 2, 3], logs: [] },
      { file: "b.test.ts", times: 3, passed: 2, seconds: [1, 2, 3.14], logs: ["logs/b"] },
    ];
    expect(steadinessTable(rows)).toMatchInlineSnapshot(`
      "passed, and least / middle / most seconds
      ok     3 of 3  1.0 / 2.0 / 3.0 s  a.test.ts
      FAILED 2 of 3  1.0 / 2.0 / 3.1 s  b.test.ts
               logs/b"
    `);
  });
});
