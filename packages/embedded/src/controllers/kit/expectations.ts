import type { Clock } from "@stowage/machinery";

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly sinceMs: number;
}

/** An event that never comes must not keep a controller idle for good. */
const EXPIRY_MS = 300_000;

/**
 * What a controller has done and its copies do not show yet, by its keys. Until they do it must not act on them: it would make
 * twice what it made, or delete too much.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Before anything is done, since the news may be quicker than the answer. Forgets what was expected before. */
  expect(key: string, { creations = 0, deletions = [] }: { creations?: number; deletions?: readonly string[] }): void {
    this.#expected.set(key, { creations, deletions: new Set(deletions), sinceMs: this.#clock.monotonicMs() });
  }

  /** Beside what is expected already. */
  expectMore(
    key: string,
    { creations = 0, deletions = [] }: { creations?: number; deletions?: readonly string[] },
  ): void {
    const known = this.#expected.get(key);
    const more = [...(known?.deletions ?? []), ...deletions];
    this.expect(key, { creations: Math.max(0, known?.creations ?? 0) + creations, deletions: more });
  }

  /** It has come, or will never come. */
  creationSeen(key: string): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations--;
  }

  deletionSeen(key: string, uid: string): void {
    this.#expected.get(key)?.deletions.delete(uid);
  }

  areMet(key: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return true;
    if (expected.creations <= 0 && expected.deletions.size === 0) return true;
    return this.#clock.monotonicMs() - expected.sinceMs > EXPIRY_MS;
  }

  forget(key: string): void {
    this.#expected.delete(key);
  }
}
