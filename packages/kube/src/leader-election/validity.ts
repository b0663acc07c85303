/**
 * Until when leadership holds, shared between the thread that renews and the thread that acts. Both a clock that never goes
 * back and the clock on the wall must agree: the first stands still while a machine sleeps, the second can be set back.
 */
export interface Validity {
  /** The moment that the renewing request was sent, in both clocks; leadership holds until `durationMs` after it. */
  extend(sentAt: Instant, durationMs: number): void;
  end(): void;
  holdsAt(instant: Instant): boolean;
  /** Milliseconds left by both clocks; zero or less when it has ended. */
  remainingMs(instant: Instant): number;
  readonly buffer: SharedArrayBuffer;
}

export interface Instant {
  /** The same in every thread and process of a machine, unlike `performance.now()`. */
  readonly monotonicNs: bigint;
  readonly wallMs: number;
}

export function now(): Instant {
  return { monotonicNs: process.hrtime.bigint(), wallMs: Date.now() };
}

const MONOTONIC_END = 0;
const WALL_END = 1;
const SLOTS = 2;

export function createValidity(buffer = new SharedArrayBuffer(SLOTS * BigInt64Array.BYTES_PER_ELEMENT)): Validity {
  const slots = new BigInt64Array(buffer);
  const remainingMs = (instant: Instant) => {
    const monotonicMs = Number(Atomics.load(slots, MONOTONIC_END) - instant.monotonicNs) / 1e6;
    return Math.min(monotonicMs, Number(Atomics.load(slots, WALL_END)) - instant.wallMs);
  };
  return {
    buffer,
    extend(sentAt, durationMs) {
      Atomics.store(slots, MONOTONIC_END, sentAt.monotonicNs + BigInt(durationMs) * 1_000_000n);
      Atomics.store(slots, WALL_END, BigInt(sentAt.wallMs + durationMs));
    },
    end() {
      Atomics.store(slots, MONOTONIC_END, 0n);
      Atomics.store(slots, WALL_END, 0n);
    },
    holdsAt: (instant) => remainingMs(instant) > 0,
    remainingMs,
  };
}
