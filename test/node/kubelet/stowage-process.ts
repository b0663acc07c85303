// needs: cli main
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../packages/cli/src/main.ts", import.meta.url));

/** `stowage` in a process of its own, which can be started anew. */
export class StowageProcess {
  readonly #main: string;
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);
  #said = "";

  /** Of another checkout, where that is given. */
  constructor(mainPath = main) {
    this.#main = mainPath;
  }

  start(words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    this.#said = "";
    const child = spawn(process.execPath, [this.#main, ...words], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...env },
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once("close", resolve));
  }

  /** As a crash. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** Returns the exit code. */
  async stop(): Promise<number | null> {
    this.#child?.kill("SIGTERM");
    return this.#ended;
  }

  /** Resolves when the one that was started last has ended. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  /** What it has written to standard error, from its last start on. */
  get log(): string {
    return this.#said;
  }
}
