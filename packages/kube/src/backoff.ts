export interface BackoffOptions {
  readonly baseMs: number;
  readonly maximumMs: number;
  readonly random?: () => number;
}

export interface Backoff {
  /** The wait after one more failure: doubles each time up to the maximum, with jitter so that clients do not come in step. */
  nextMs(): number;
  reset(): void;
}

export function createBackoff({ baseMs, maximumMs, random = Math.random }: BackoffOptions): Backoff {
  let failures = 0;
  return {
    nextMs() {
      const ceilingMs = Math.min(maximumMs, baseMs * 2 ** failures);
      failures = Math.min(failures + 1, 30);
      return ceilingMs * (0.5 + random() / 2);
    },
    reset() {
      failures = 0;
    },
  };
}
