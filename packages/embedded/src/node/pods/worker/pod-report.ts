import type { Pod } from "@stowage/machinery";
import { lastWords } from "./last-words.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { desiredPodStatus, type StatusInput, writeStatus } from "./status-writer.ts";

/** What the API server has of a Pod, and what it is told. One write at a time; what changes meanwhile is told by the next. */
export class PodReport {
  readonly #deps: PodWorkerDeps;
  readonly #input: () => StatusInput;
  #pod: Pod;
  #isGone = false;
  #writing: Promise<void> = Promise.resolve();
  /** One that waits for its turn, and will tell all that is so by then. */
  #next: Promise<void> | undefined;

  constructor(deps: PodWorkerDeps, pod: Pod, input: () => StatusInput) {
    this.#deps = deps;
    this.#pod = pod;
    this.#input = input;
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** The API server has it no more. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get isOver(): boolean {
    const phase = this.#pod.status?.phase;
    return phase === "Succeeded" || phase === "Failed";
  }

  /** As the watch has it; undefined when it is gone. */
  update(pod: Pod | undefined): void {
    if (pod === undefined) this.#isGone = true;
    // What has been written in the meantime is newer than what comes by the watch.
    else if (!isOlder(pod, this.#pod)) this.#pod = pod;
  }

  /** Settles when all that is so now has been told. */
  tell(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#writing = this.#write();
        return this.#writing;
      });
    return this.#next;
  }

  async #write(): Promise<void> {
    if (this.#isGone) return;
    const { containers } = this.#input();
    await containers.hearLastWords((container) => lastWords(this.#deps, this.#pod, container));
    const before = this.#pod;
    const written = await writeStatus(this.#deps, before, desiredPodStatus(this.#deps, before, this.#input()));
    if (written === undefined) this.#isGone = true;
    else if (!isOlder(written, this.#pod)) this.#pod = written;
  }
}

/** Versions of one object are numbers that grow. */
function isOlder(a: Pod, b: Pod): boolean {
  return BigInt(a.metadata.resourceVersion ?? 0) < BigInt(b.metadata.resourceVersion ?? 0);
}
