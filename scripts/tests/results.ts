import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../checkout.ts";

export interface Failure {
  readonly test: string;
  /** The first line of what it said. */
  readonly message: string;
}

/** What one file came to. A run writes each as it ends, so that what is broken off has told what it knew. */
export interface FileResult {
  /** Relative to the checkout. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  /** The file with all that its failures said, relative to the checkout. */
  readonly log?: string;
}

/** The report of a suite. That of a run of some files has another name than that of all, and does not replace it. */
export class ResultsFolder {
  readonly folder: string;

  constructor(suite: string) {
    this.folder = join(checkout, ".cache", "test-reports", suite);
  }

  get junit(): string {
    return join(this.folder, "junit.xml");
  }

  empty(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
  }

  add(result: FileResult): void {
    mkdirSync(this.folder, { recursive: true });
    appendFileSync(this.#results, `${JSON.stringify(result)}\n`);
  }

  read(): FileResult[] {
    return jsonLines(this.#results) as FileResult[];
  }

  get #results(): string {
    return join(this.folder, "results.jsonl");
  }
}

/** A last line that was cut off by a kill is left out. */
function jsonLines(file: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // Nothing has ended yet.
  }
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export function isRed(result: FileResult): boolean {
  return result.failed > 0;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function countsOf(results: readonly FileResult[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of results) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** The plain line with which each command of the tests ends. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
