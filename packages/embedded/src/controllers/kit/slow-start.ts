export interface SlowStart {
  readonly successes: number;
  /** The first failure; nothing is begun after the batch that it is in. */
  readonly error: unknown;
}

/**
 * Does something so many times, in batches of 1, 2, 4, … as long as all goes well: what fails, such as Pods over a quota, mostly fails
 * for all of them.
 */
export async function slowStart(count: number, run: (index: number) => Promise<unknown>): Promise<SlowStart> {
  let successes = 0;
  let begun = 0;
  for (let size = Math.min(1, count); size > 0; size = Math.min(size * 2, count - begun)) {
    const first = begun;
    begun += size;
    const outcomes = await Promise.allSettled(Array.from({ length: size }, (_, index) => run(first + index)));
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    successes += size - failed.length;
    if (failed[0] !== undefined) return { successes, error: failed[0].reason };
  }
  return { successes, error: undefined };
}
