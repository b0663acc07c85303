// needs: cli main
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../packages/cli/src/main.ts", import.meta.url));

/** How much of what a process says is kept, to be shown when a test fails. */
const KEPT_CHARACTERS = 200_000;

/** A `stowage` command in a process of its own, for tests that stop, pause and kill it. */
export class StowageProcess {
  readonly child: ChildProcess;
  /** Resolves when it has ended, whatever the reason. */
  readonly ended: Promise<void>;
  readonly #signalled = new Set<NodeJS.Signals>();
  #said = "";

  constructor(commandArguments: readonly string[], env: Readonly<Record<string, string>> = {}) {
    // No sources need to be compiled twice: each new process of a storm would spend a second of it on that.
    const environment = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...compileCache(), ...env };
    this.child = spawn(process.execPath, [main, ...commandArguments], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.ended = new Promise((resolve) => this.child.once("close", () => resolve()));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
  }

  /** The last part of what it told people and its log. */
  get said(): string {
    return this.#said;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.#signalled.add(name);
    this.child.kill(name);
  }

  /** Resolves with its exit code when it has ended; one that was killed has none. */
  async stop(name: NodeJS.Signals): Promise<number | null> {
    // A second signal would meet a process that has handled the first, and end it as nobody wished.
    if (this.isRunning && !this.#signalled.has(name)) this.signal(name);
    await this.ended;
    return this.child.exitCode;
  }

  #hear(text: string): void {
    this.#said = lastLines(this.#said + text);
    const prefix = process.env.STOWAGE_TEST_LOG;
    if (prefix !== undefined) appendFileSync(`${prefix}.${this.child.pid}`, text);
  }
}

/** Whole lines only: whoever reads them as JSON must not meet the end of one. */
function lastLines(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text;
  return text.slice(text.indexOf("\n", text.length - KEPT_CHARACTERS) + 1);
}

function compileCache(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
