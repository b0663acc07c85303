export interface Load {
  readonly count: number;
  readonly inFlight: number;
}

/** How many are done in a second, with so many under way at any time. */
export async function perSecond({ count, inFlight }: Load, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return count / ((performance.now() - startedMs) / 1000);
}

/** Of a list that is not empty; `share` is 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
