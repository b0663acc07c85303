import type { Timeline } from "./step.ts";

/** For programs: times as Kubernetes writes them, and offsets from the claim's creation. */
export function timelineData({ subject, state, startedMs, steps, totals, unread }: Timeline): object {
  return {
    subject,
    state,
    started: new Date(startedMs).toISOString(),
    steps: steps.map(({ atMs, rank: _rank, ...step }) => ({
      time: new Date(atMs).toISOString(),
      offsetMs: atMs - startedMs,
      ...step,
    })),
    totals,
    unread,
  };
}
