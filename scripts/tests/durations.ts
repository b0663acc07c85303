import { readFileSync, writeFileSync } from "node:fs";
import { type FileResult, isRed } from "./results.ts";
import { needsNodeAlone, type TestFile } from "./test-file.ts";

const file = new URL("durations.json", import.meta.url);

/** Of a file that was never measured. */
const assumed = { unit: 2, isolated: 2, apart: 90, real: 60, root: 20 } as const;

/** How long each file on real components usually takes, in seconds: committed, and renewed by runs of the release tier. */
export class Durations {
  readonly #seconds: Map<string, number>;

  constructor(seconds: Readonly<Record<string, number>>) {
    this.#seconds = new Map(Object.entries(seconds));
  }

  static read(): Durations {
    return new Durations(JSON.parse(readFileSync(file, "utf8")) as Record<string, number>);
  }

  of({ path, place }: TestFile): number {
    return this.#seconds.get(path) ?? assumed[place];
  }

  /** What it adds to a run: two of those that are apart run at a time. */
  cost(file: TestFile): number {
    return file.place === "apart" ? this.of(file) / 2 : this.of(file);
  }

  sum(files: readonly TestFile[]): number {
    return files.reduce((total, each) => total + this.cost(each), 0);
  }

  /** Takes over what was measured, and forgets files that are gone. A red file took as long as its limits. */
  renew(results: readonly FileResult[], files: readonly TestFile[]): void {
    for (const result of results) if (!isRed(result)) this.#seconds.set(result.file, Math.round(result.seconds));
    const known = new Set(files.filter((each) => !needsNodeAlone(each)).map(({ path }) => path));
    const kept = [...this.#seconds].filter(([path]) => known.has(path)).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  }
}
