/** Random numbers that the seed decides alone, so that a run can be had again. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Uint32Array.from({ length: Math.ceil(count / 4) }, () => this.below(2 ** 32)).buffer, 0, count);
  }
}

/** The seed of this run: `STOWAGE_TEST_SEED` to have an earlier one again. */
export function seedOfRun(usual?: number): number {
  const given = process.env.STOWAGE_TEST_SEED;
  return given === undefined ? (usual ?? Math.floor(Math.random() * 2 ** 31)) : Number(given);
}
