import { systemClock } from "@stowage/machinery";
import type { StowageProcess } from "./stowage-process.ts";

const LOOK_AGAIN_MS = 20;

/** A command that is started again whenever it ends, as kubelet does it, but at once. */
export class SupervisedProcess {
  readonly #start: () => StowageProcess;
  #current: StowageProcess;
  #isWanted = true;
  #running: Promise<void>;
  starts = 0;

  constructor(start: () => StowageProcess) {
    this.#start = start;
    this.#current = this.#begin();
    this.#running = this.#keepUp();
  }

  /** What the process that runs now has said. */
  get said(): string {
    return this.#current.said;
  }

  /** Resolves when the process that runs now has got to work, or the signal is aborted. */
  async untilUp(words: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#current.said.includes(words))
      await systemClock.sleep(LOOK_AGAIN_MS, signal).catch(() => {});
  }

  kill(): void {
    this.#current.signal("SIGKILL");
  }

  /** Ends the process that runs now, and supervision. Resolves with the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#isWanted = false;
    const code = await this.#current.stop(signal);
    await this.#running;
    return code;
  }

  #begin(): StowageProcess {
    this.starts += 1;
    return this.#start();
  }

  async #keepUp(): Promise<void> {
    for (;;) {
      await this.#current.ended;
      if (!this.#isWanted) return;
      this.#current = this.#begin();
    }
  }
}
