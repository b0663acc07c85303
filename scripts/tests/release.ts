import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkout } from "../checkout.ts";
import { printClosing, type Suite } from "./closing-table.ts";
import type { Durations } from "./durations.ts";
import { filesOf, groups } from "./groups.ts";
import { runAsSuite } from "./npm-suite.ts";
import { isRed, ResultsFolder } from "./results.ts";
import { realPlaces, type TestFile } from "./test-file.ts";
import { runVitest } from "./vitest-run.ts";

const progressFile = join(checkout, ".cache", "test-reports", "release.json");

export interface ReleaseInputs {
  readonly files: readonly TestFile[];
  readonly durations: Durations;
  /** Tells one state of the sources from another. */
  readonly state: string;
}

/** What is asked of a run, and how far it is. */
interface Progress {
  readonly state: string;
  readonly asked: readonly string[];
  readonly done: Suite[];
  /** The group that was running when this was written. */
  current?: string;
}

/** Runs groups of the release tier one after the other, writes down how far it is, and renews the durations of what was green. */
export class Release {
  readonly #inputs: ReleaseInputs;
  readonly #state: string;

  constructor(inputs: ReleaseInputs) {
    this.#inputs = inputs;
    this.#state = createHash("sha256").update(inputs.state).digest("hex");
  }

  /** Groups, or files in place of them. Returns whether all were green. */
  async run(asked: readonly string[], { continues }: { readonly continues: boolean }): Promise<boolean> {
    const progress: Progress | undefined = continues ? this.#earlier() : { state: this.#state, asked, done: [] };
    if (progress === undefined) {
      console.error(
        "there is no broken-off run of these sources to go on with: start one by --all or with names of groups",
      );
      return false;
    }
    const groupNames = progress.asked.filter((name) => !isPath(name));
    const paths = progress.asked.filter(isPath);
    // A run of one group in between does not forget a longer one that was broken off.
    const keep = () => (groupNames.length > 1 ? write(progress) : undefined);
    for (const name of groupNames) {
      if (progress.done.some((suite) => suite.name === name)) continue;
      console.log(`\n== ${name}`);
      const isBrokenOff = progress.current === name;
      progress.current = name;
      keep();
      progress.done.push(await this.#runGroup(name, isBrokenOff));
      delete progress.current;
      keep();
    }
    // Single files run without the longer times of their group, so that what they take is not noted.
    const measured = progress.done.flatMap(({ results = [] }) => results);
    this.#inputs.durations.renew(measured, this.#inputs.files);
    if (paths.length > 0) progress.done.push(await this.#runFiles("release-some", paths, {}));
    return printClosing(progress.done);
  }

  #earlier(): Progress | undefined {
    try {
      const progress = JSON.parse(readFileSync(progressFile, "utf8")) as Progress;
      return progress.state === this.#state ? progress : undefined;
    } catch {
      return undefined; // Nothing was begun.
    }
  }

  async #runGroup(name: string, isBrokenOff: boolean): Promise<Suite> {
    if (name === "checks") return runAsSuite(name, ["run", "--silent", "verify"]);
    if (name === "unit") return { name, ...(await runVitest({ suite: "unit", places: ["unit", "isolated"] })) };
    const group = groups.find((each) => each.name === name);
    if (group === undefined) throw new Error(`there is no group "${name}"`);
    const report = new ResultsFolder(name);
    // Of a group that was broken off, what was green by then is not run again.
    const green = isBrokenOff ? report.read().filter((result) => !isRed(result)) : [];
    const isDone = new Set(green.map(({ file }) => file));
    const left = filesOf(group, this.#inputs.files).filter(({ path }) => !isDone.has(path));
    const suite = await this.#runFiles(
      name,
      left.map(({ path }) => path),
      group.env ?? {},
      isBrokenOff,
    );
    return { ...suite, results: [...green, ...(suite.results ?? [])] };
  }

  async #runFiles(
    name: string,
    files: readonly string[],
    env: Readonly<Record<string, string>>,
    continues = false,
  ): Promise<Suite> {
    if (files.length === 0) return { name, seconds: 0, results: [] };
    return { name, ...(await runVitest({ suite: name, places: realPlaces, files, env, continues })) };
  }
}

function isPath(word: string): boolean {
  return word.includes("/");
}

function write(progress: Progress): void {
  mkdirSync(dirname(progressFile), { recursive: true });
  writeFileSync(progressFile, JSON.stringify(progress));
}
