import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkout, runTool } from "./checkout.ts";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

/** The projects of `vitest.config.ts` that each is made of. */
const projects = { unit: ["unit"], real: ["real-apart", "real"] } as const;

/** Runs a part of the tests and closes with a plain line that says how it went. Returns the exit code. */
export async function runTests(part: keyof typeof projects, vitestArguments: readonly string[]): Promise<number> {
  const reports = join(checkout, ".cache", "test-reports");
  mkdirSync(reports, { recursive: true });
  const report = join(reports, `${part}.json`);
  rmSync(report, { force: true });
  const code = await runTool("vitest", [
    "run",
    ...projects[part].flatMap((name) => ["--project", name]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...vitestArguments,
  ]);
  const counts = readReport(report);
  if (counts === undefined) {
    console.error(`the ${part} tests ended without a report (exit ${code})`);
    console.log("0 passed, 1 failed");
    return code || 1;
  }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = counts;
  // A file that does not load, or a set-up that fails, has no test to count and is a failure all the same.
  const failures = failed === 0 && (code !== 0 || !counts.success) ? 1 : failed;
  console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failures > 0 ? code || 1 : code;
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  } catch {
    return undefined; // The caller says that there is none.
  }
}
