import type { EventRecorder } from "@stowage/kube";
import type { Clock, Pod, Volume } from "@stowage/machinery";
import { pathFailure } from "../../pods/worker/pod-folders.ts";
import { failureText } from "../csi/volume-failure.ts";

export interface KeptVolumeDeps {
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Makes the volume what it is to be for the Pod as it is now. Resolves with when that is to be done again, if by itself. */
  setUp(pod: Pod, signal: AbortSignal): Promise<number | undefined>;
}

/** As kubelet tries again. */
const backoff = { initialMs: 500, maximumMs: 122_000 };
/** Longer than this no timer can wait. */
const LONGEST_MS = 24 * 3600 * 1000;

/**
 * A volume that is set up as soon as that is possible, and again whenever something changes that it hangs on. What keeps it is told by
 * events, also when it has been there before: then it stays as it was.
 */
export class KeptVolume {
  readonly #deps: KeptVolumeDeps;
  readonly #volume: Volume;
  readonly #first = Promise.withResolvers<void>();
  #pod: Pod;
  #wakeUp: () => void = () => {};
  #isAwake = false;

  constructor(deps: KeptVolumeDeps, pod: Pod, volume: Volume) {
    this.#deps = deps;
    this.#pod = pod;
    this.#volume = volume;
    // Whoever waits for it learns of it; nobody has to.
    this.#first.promise.catch(() => {});
  }

  /** Resolves when the volume is there; rejects when it is not looked after any more before. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Something may have changed. */
  wake(pod: Pod = this.#pod): void {
    this.#pod = pod;
    this.#isAwake = true;
    this.#wakeUp();
  }

  /** Until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let failureMs = backoff.initialMs;
    while (!signal.aborted) {
      this.#isAwake = false;
      let pauseMs = LONGEST_MS;
      try {
        const againMs = await this.#deps.setUp(this.#pod, signal);
        this.#first.resolve();
        failureMs = backoff.initialMs;
        if (againMs !== undefined) pauseMs = againMs - this.#deps.clock.nowMs();
      } catch (error) {
        if (signal.aborted) break;
        this.#tell(error);
        pauseMs = failureMs;
        failureMs = Math.min(backoff.maximumMs, failureMs * 2);
      }
      await this.#pause(Math.min(LONGEST_MS, Math.max(0, pauseMs)), signal);
    }
    this.#first.reject(signal.reason);
  }

  #tell(error: unknown): void {
    const why = isPathError(error) ? pathFailure(error) : failureText(error);
    const message = `MountVolume.SetUp failed for volume "${this.#volume.name}" : ${why}`;
    this.#deps.events.event(this.#pod, "Warning", "FailedMount", message);
  }

  async #pause(durationMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isAwake) return;
    const over = new AbortController();
    this.#wakeUp = () => over.abort();
    await this.#deps.clock.sleep(durationMs, AbortSignal.any([signal, over.signal])).catch(() => {});
    this.#wakeUp = () => {};
  }
}

function isPathError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}
