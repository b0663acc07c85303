/** How patient the manager is, as kubelet. */
export interface VolumePace {
  /** Between tries of one step; twice as long each time. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Before a claim is read again that could not be used. */
  readonly claimRetryMs: number;
  /** Before people are told that a Pod still waits. */
  readonly tellWaitingMs: number;
  /** Between looks at what is mounted: its size, and whether its driver wants to be asked again. */
  readonly lookMs: number;
}

export const kubeletPace: VolumePace = {
  firstRetryMs: 500,
  longestRetryMs: 122_000,
  claimRetryMs: 10_000,
  tellWaitingMs: 123_000,
  lookMs: 60_000,
};

/** How long to wait after each failure. */
export function* retryWaits({ firstRetryMs, longestRetryMs }: VolumePace): Generator<number, never> {
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(longestRetryMs, waitMs * 2)) yield waitMs;
}
