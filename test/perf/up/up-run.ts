import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { processesOf } from "../../up/stowage-up/machine-state.ts";
import { processMemory } from "../csi/process-memory.ts";

const checkout = fileURLToPath(new URL("../../../", import.meta.url));

/** When each step was reached, from the moment that the command was given. */
export type StepSeconds = ReadonlyMap<string, number>;

interface StepLine {
  readonly step?: string;
  readonly ready?: boolean;
}

/** `npm start` as a user types it, in a state directory of its own. */
export class UpRun implements AsyncDisposable {
  readonly #stateDir: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #beganMs = performance.now();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    const words = ["start", "--", "--output", "json", "--state-dir", stateDir];
    // Its own group, as a terminal makes it: Ctrl-C goes to npm and to what npm has started.
    this.#child = spawn("npm", words, { cwd: checkout, stdio: ["ignore", "pipe", "inherit"], detached: true });
    this.#ended = once(this.#child, "close");
  }

  /** Resolves when everything works. Measured here, and not as it says itself: npm takes its time too. */
  async steps(): Promise<StepSeconds> {
    const reached = new Map<string, number>();
    for await (const line of createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })) {
      // npm says first what it runs.
      if (!line.startsWith("{")) continue;
      const { step, ready } = JSON.parse(line) as StepLine;
      if (step !== undefined) reached.set(step, (performance.now() - this.#beganMs) / 1_000);
      if (ready === true) return reached;
    }
    throw new Error(`npm start ended before everything worked; it had reached ${[...reached.keys()].join(", ")}`);
  }

  /** Of all processes together, npm's own too. */
  async pssBytes(): Promise<number> {
    const found = await Promise.all(processesOf(this.#stateDir).map(({ pid }) => pssOf(pid)));
    return found.reduce((sum, bytes) => sum + bytes, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      process.kill(-(this.#child.pid ?? 0), "SIGINT");
    await this.#ended;
  }
}

/** Nothing for one that has just ended, as a probe of a container does. */
async function pssOf(pid: number): Promise<number> {
  try {
    return (await processMemory(pid)).pssBytes;
  } catch {
    return 0;
  }
}
