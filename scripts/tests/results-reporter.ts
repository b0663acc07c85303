import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from "vitest/node";
import { checkout } from "../checkout.ts";
import { type Failure, type FileResult, ResultsFolder } from "./results.ts";

/** The suite whose report a run writes; `vitest-run.ts` sets it. */
export const suiteVariable = "STOWAGE_TEST_SUITE";

type UserConsoleLog = Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0];

const printedBytesLimit = 4 * 1024 * 1024;

/** Writes down what each file came to when it ends, and beside it the log of what failed: errors with their stacks, and what was printed. */
class ResultsReporter implements Reporter {
  readonly #results = new ResultsFolder(process.env[suiteVariable] ?? "vitest");
  readonly #printed = new Map<string, string>();
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    const file = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId)?.file.filepath;
    if (file === undefined) return;
    const printed = (this.#printed.get(file) ?? "") + content;
    this.#printed.set(file, printed.slice(-printedBytesLimit));
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const told = [...module.children.allSuites(), ...tests].flatMap((each) =>
      failuresOf(each.fullName, errorsOf(each)),
    );
    const outside = failuresOf("(outside of its tests)", module.errors());
    const failures = [...outside, ...told];
    const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
    const file = relative(checkout, module.moduleId);
    // A file that does not load, or a hook that fails, has no test to count and is a failure all the same.
    const failed = Math.max(count("failed"), failures.length > 0 || !module.ok() ? 1 : 0);
    this.#results.add({
      file,
      passed: count("passed"),
      failed,
      skipped: count("skipped"),
      seconds: Math.round((collectDuration + duration + prepareDuration + setupDuration) / 10) / 100,
      failures: failures.map(({ test, text }) => ({ test, message: firstLine(text) })),
      ...(failed > 0 ? { log: this.#writeLog(file, failures, this.#printed.get(module.moduleId)) } : {}),
    });
    this.#printed.delete(module.moduleId);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (errors.length === 0) return;
    const failures = failuresOf("(outside of all files)", errors);
    const file = "(run)";
    const log = this.#writeLog(file, failures, undefined);
    const told: readonly Failure[] = failures.map(({ test, text }) => ({ test, message: firstLine(text) }));
    const result: FileResult = { file, passed: 0, failed: 1, skipped: 0, seconds: 0, failures: told, log };
    this.#results.add(result);
  }

  #writeLog(file: string, failures: readonly { test: string; text: string }[], printed: string | undefined): string {
    const log = join(this.#results.folder, "logs", `${file.replaceAll("/", "__")}.log`);
    mkdirSync(dirname(log), { recursive: true });
    const parts = failures.map(({ test, text }) => `FAILED ${test}\n${text}\n`);
    if (printed !== undefined) parts.push(`PRINTED\n${printed}`);
    writeFileSync(log, parts.join("\n"));
    return relative(checkout, log);
  }
}

// Vitest takes a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default ResultsReporter;

function errorsOf(
  each: { type: string; errors?: () => readonly SerializedError[] } | TestCase,
): readonly SerializedError[] {
  if (each.type === "test") return (each as TestCase).result().errors ?? [];
  return (each as { errors?: () => readonly SerializedError[] }).errors?.() ?? [];
}

function failuresOf(test: string, errors: readonly SerializedError[]) {
  return errors.map((error) => ({ test, text: textOf(error) }));
}

function textOf(error: SerializedError): string {
  const parts = [`${error.name ?? "Error"}: ${error.message}`, error["diff"], error.stack];
  const cause = error.cause === undefined ? "" : `\nCaused by: ${textOf(error.cause)}`;
  return stripVTControlCharacters(parts.filter((part) => typeof part === "string" && part !== "").join("\n")) + cause;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 300);
}
