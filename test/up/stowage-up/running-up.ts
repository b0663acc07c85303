// needs: cli
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const command = fileURLToPath(new URL("../../../packages/cli/bin/stowage.js", import.meta.url));

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long is waited for what a program on a terminal shows. */
const SHOWING_MS = 60_000;

/** What a program is started with. */
interface ProgramPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Whether something is typed into it: `type`. */
  readonly isTyped: boolean;
}

/** A program, while it runs. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  stdout = "";
  stderr = "";

  constructor([program = "", ...words]: readonly string[], { env, isTyped }: ProgramPlace) {
    this.#child = spawn(program, words, { env, stdio: [isTyped ? "pipe" : "ignore", "pipe", "pipe"] });
    // It may end before it has read everything.
    this.#child.stdin?.on("error", () => {});
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#tell();
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#tell();
    });
    this.#closed = once(this.#child, "close").then(() => this.#tell());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** All that is typed into it. */
  type(text: string | Uint8Array): void {
    this.#child.stdin?.end(text);
  }

  /** More may be typed after it. */
  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Whoever reads what it says goes away. */
  close(...streams: readonly ("stdout" | "stderr")[]): void {
    for (const stream of streams) this.#child[stream]?.destroy();
  }

  /** Resolves when it has said so on standard output; rejects when it ends before. */
  async said(text: string): Promise<void> {
    while (!this.stdout.includes(text)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`it ended before it said ${JSON.stringify(text)}: ${this.stdout}${this.stderr}`);
      }
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Resolves when what it has said on standard output is like that. After a minute it rejects, with all that was said until then. */
  async shows(pattern: RegExp): Promise<void> {
    const late = AbortSignal.timeout(SHOWING_MS);
    while (!pattern.test(this.stdout)) {
      const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (isOver || late.aborted) throw new Error(`it never showed ${pattern}, but ${this.#seen()}`);
      await this.#more(late);
    }
  }

  /** Resolves when it has ended. After a minute it rejects, with all that was said until then. */
  async endedSoon(): Promise<Ended> {
    const late = AbortSignal.timeout(SHOWING_MS);
    while (this.#child.exitCode === null && this.#child.signalCode === null) {
      if (late.aborted) throw new Error(`it has not ended; it showed ${this.#seen()}`);
      await this.#more(late);
    }
    return await this.ended();
  }

  #seen(): string {
    return JSON.stringify({ stdout: this.stdout, stderr: this.stderr });
  }

  async #more(late: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#listeners.add(wake);
    late.addEventListener("abort", wake, { once: true });
    await promise;
    late.removeEventListener("abort", wake);
  }

  async ended(): Promise<Ended> {
    await this.#closed;
    return { exitCode: this.#child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/** A `stowage` command as a user types it, while it runs. */
export class RunningCommand extends RunningProgram {
  /** `prefix`: a program that starts it, as `sudo` is. */
  constructor(words: readonly string[], prefix: readonly string[] = []) {
    const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
    super([...prefix, process.execPath, command, ...words], { env, isTyped: false });
  }
}
