import { describe, expect, it } from "vitest";
import { closingTable } from "./closing-table.ts";
import type { FileResult } from "./results.ts";

const result = (change: Partial<FileResult> = {}): FileResult => ({
  file: "test/api/a.real.test.ts",
  passed: 3,
  failed: 0,
  skipped: 1,
  seconds: 2,
  failures: [],
  ...change,
});

const failures = Array.from({ length: 7 }, (_, index) => ({ test: `test ${index}`, message: "Error: no" }));

describe("the table that closes a run", () => {
  it("has a row for each suite, and says what was not run", () => {
    const suites = [
      { name: "npm test", seconds: 100.4, results: [result(), result({ passed: 10 })] },
      { name: "core", seconds: 0, results: undefined, remark: "not run: what comes before it failed" },
    ];
    expect(closingTable(suites)).toMatchInlineSnapshot(`
      "suite     passed  failed  skipped  seconds
      npm test      13       0        2      100
      core           -       -        -        -  not run: what comes before it failed"
    `);
  });

  it("says what failed, with the log, and what was unsteady", () => {
    const red = result({ failed: 7, failures, log: "logs/a.log" });
    const unsteady = result({ file: "test/api/b.real.test.ts", failed: 1, failures: failures.slice(0, 1) });
    expect(closingTable([{ name: "core", seconds: 9, results: [red], unsteady: [unsteady] }])).toMatchInlineSnapshot(`
      "suite  passed  failed  skipped  seconds
      core        3       7        1        9  1 unsteady
      FAILED test/api/a.real.test.ts
        test 0: Error: no
        test 1: Error: no
        test 2: Error: no
        test 3: Error: no
        test 4: Error: no
        and 2 more
        log: logs/a.log
      unsteady test/api/b.real.test.ts
        test 0: Error: no"
    `);
  });
});
