import { countsLine, countsOf, type FileResult, isRed } from "./results.ts";

/** A part of a run, as a row of the table that closes it. */
export interface Suite {
  readonly name: string;
  readonly seconds: number;
  /** A check is one test of its own. Nothing when it was not run. */
  readonly results: readonly FileResult[] | undefined;
  /** Files that failed and then passed twice alone, with what they said the first time. */
  readonly unsteady?: readonly FileResult[];
  /** Why it was not run, or what of it was left out. */
  readonly remark?: string;
}

/** What a person reads when a run has ended: a row for each suite, what failed and where its log is, and the counts. */
export function closingTable(suites: readonly Suite[]): string {
  const rows = [["suite", "passed", "failed", "skipped", "seconds", ""], ...suites.map(rowOf)];
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(all[index] ?? 0, cell.length)),
    [],
  );
  const lines = rows.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0, index))
      .join("  ")
      .trimEnd(),
  );
  const red = suites
    .flatMap(({ results = [] }) => results.filter(isRed))
    .flatMap((result) => failureLines("FAILED", result));
  const unsteady = suites
    .flatMap((suite) => suite.unsteady ?? [])
    .flatMap((result) => failureLines("unsteady", result));
  return [...lines, ...red, ...unsteady].join("\n");
}

/** The table and, last, the plain line that programs read. Returns whether something was run, and nothing failed. */
export function printClosing(suites: readonly Suite[]): boolean {
  const counts = countsOf(suites.flatMap(({ results = [] }) => results));
  // What ran nothing has shown nothing.
  const isEmpty = counts.passed === 0 && counts.failed === 0;
  if (isEmpty) console.error("no test was run: no file matches");
  console.log(`\n${closingTable(suites)}\n\n${countsLine(isEmpty ? { ...counts, failed: 1 } : counts)}`);
  return !isEmpty && counts.failed === 0;
}

/** Several runs as one row. */
export function joined(name: string, suites: readonly Suite[], remark?: string): Suite {
  const told = remark === undefined ? {} : { remark };
  if (suites.length === 0) return { name, seconds: 0, results: undefined, ...told };
  return {
    name,
    seconds: suites.reduce((sum, { seconds }) => sum + seconds, 0),
    results: suites.flatMap(({ results = [] }) => results),
    unsteady: suites.flatMap(({ unsteady = [] }) => unsteady),
    ...told,
  };
}

function rowOf({ name, seconds, results, unsteady = [], remark }: Suite): string[] {
  const remarks = [remark, unsteady.length > 0 ? `${unsteady.length} unsteady` : undefined].filter(
    (each) => each !== undefined,
  );
  if (results === undefined) return [name, "-", "-", "-", "-", remarks.join("; ")];
  const { passed, failed, skipped } = countsOf(results);
  return [name, String(passed), String(failed), String(skipped), seconds.toFixed(0), remarks.join("; ")];
}

function padded(cell: string, width: number, index: number): string {
  return index > 0 && index < 5 ? cell.padStart(width) : cell.padEnd(width);
}

function failureLines(how: string, { file, failures, log }: FileResult): string[] {
  return [
    `${how} ${file}`,
    ...failures.slice(0, 5).map(({ test, message }) => `  ${test}: ${message}`),
    ...(failures.length > 5 ? [`  and ${failures.length - 5} more`] : []),
    ...(log === undefined ? [] : [`  log: ${log}`]),
  ];
}
