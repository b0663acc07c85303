import { systemClock } from "@stowage/machinery";
import type { StowageProcess } from "./stowage-process.ts";

const LOOK_AGAIN_MS = 20;

/** Of claims, volumes, contents and attachments, whatever comes before and after. */
const NAMES = /(?:claim|copy|snapshot)-\d+|(?:pvc|snapcontent|vol|snap)-[0-9a-f-]{36}/gu;
const SHOWN_LINES = 40;

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

  /** What the process that runs now has said of the things that are named in the texts. */
  lastSaid(texts: readonly string[]): string {
    const names = new Set(texts.join(" ").match(NAMES) ?? []);
    const lines = this.said.split("\n").filter((line) => line.match(NAMES)?.some((name) => names.has(name)));
    return ["last said of it:", ...lines.slice(-SHOWN_LINES)].join("\n");
  }

  /** Resolves when a process after this one has said these words, or the signal is aborted. */
  async kill(words: string, signal: AbortSignal): Promise<void> {
    const killed = this.#current;
    killed.signal("SIGKILL");
    while (!signal.aborted && (this.#current === killed || !this.said.includes(words)))
      await systemClock.sleep(LOOK_AGAIN_MS, signal).catch(() => {});
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
