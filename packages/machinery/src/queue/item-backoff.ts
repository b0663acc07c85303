export interface BackoffLimits {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** How long a key that failed has to wait: twice as long each time, up to the maximum, and without end. */
export interface ItemBackoff {
  /** The wait after one more failure of the key. */
  nextMs(key: string): number;
  failures(key: string): number;
  forget(key: string): void;
}

/** 2^53 ms is beyond any maximum; doubling further would only lose digits. */
const MAXIMUM_DOUBLINGS = 52;

export function createItemBackoff({ initialMs, maximumMs }: BackoffLimits): ItemBackoff {
  const failures = new Map<string, number>();
  return {
    nextMs(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      return Math.min(maximumMs, initialMs * 2 ** Math.min(count, MAXIMUM_DOUBLINGS));
    },
    failures: (key) => failures.get(key) ?? 0,
    forget: (key) => void failures.delete(key),
  };
}
