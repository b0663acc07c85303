export interface CorrelatorLimits {
  /** An event that repeats within this time of the last is counted on the same Event object. */
  readonly repeatWindowMs: number;
  /** More different messages than this, each within the window of the last, become one event. */
  readonly similarLimit: number;
  readonly similarWindowMs: number;
  /** An object may have this many events at once, and one more each refill. */
  readonly spamBurst: number;
  readonly spamRefillMs: number;
  /** How many objects and events are remembered; the ones not seen for longest are forgotten. */
  readonly memory: number;
}

export const defaultCorrelatorLimits: CorrelatorLimits = {
  // API servers keep an event for an hour after its last change; there is nothing to count on after that.
  repeatWindowMs: 60 * 60_000,
  similarLimit: 10,
  similarWindowMs: 10 * 60_000,
  spamBurst: 25,
  spamRefillMs: 5 * 60_000,
  memory: 4096,
};
