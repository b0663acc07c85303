import type { Clock } from "@stowage/machinery";

/** Longer than any backoff: what the driver calls invalid does not become valid by asking. */
export const SLOW_RETRY_MS = 5 * 60_000;

interface SlowClaim {
  readonly untilMs: number;
  readonly classUid: string;
}

/** Claims that the driver found invalid, which are tried rarely; at once again when their class was made anew. */
export class SlowClaims {
  readonly #clock: Clock;
  readonly #claims = new Map<string, SlowClaim>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(claimUid: string, classUid: string): void {
    this.#claims.set(claimUid, { untilMs: this.#clock.monotonicMs() + SLOW_RETRY_MS, classUid });
  }

  forget(claimUid: string): void {
    this.#claims.delete(claimUid);
  }

  /** How long the claim has to wait yet; 0 when it need not. */
  remainingMs(claimUid: string, classUid: string): number {
    const slow = this.#claims.get(claimUid);
    if (slow === undefined) return 0;
    const remainingMs = slow.untilMs - this.#clock.monotonicMs();
    if (slow.classUid === classUid && remainingMs > 0) return remainingMs;
    this.#claims.delete(claimUid);
    return 0;
  }
}
