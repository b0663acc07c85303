/** The one seam for time: tests pass a clock that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970, for what is shown or stored. */
  nowMs(): number;
  /** Milliseconds that never go back, for measuring how long. */
  monotonicMs(): number;
  /** Resolves after the time has passed; rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, durationMs);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
