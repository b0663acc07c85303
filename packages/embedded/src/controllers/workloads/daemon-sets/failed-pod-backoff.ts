import type { Clock } from "@stowage/machinery";

const FIRST_MS = 1_000;
const MOST_MS = 900_000;

/** When a failed daemon may be replaced: a kubelet that refuses it would refuse the next one at once. */
export class FailedPodBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly delayMs: number; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long it must wait yet; 0 when its time has come, which counts as its being replaced. */
  waitMs(key: string): number {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#entries.get(key);
    if (known !== undefined && nowMs - known.atMs < known.delayMs) return known.delayMs;
    // One that has been well for twice the longest wait begins anew.
    const isForgotten = known === undefined || nowMs - known.atMs > 2 * MOST_MS;
    this.#entries.set(key, { delayMs: isForgotten ? FIRST_MS : Math.min(known.delayMs * 2, MOST_MS), atMs: nowMs });
    return 0;
  }
}
