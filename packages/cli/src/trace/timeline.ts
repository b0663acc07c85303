import { inOrder } from "./chain-order.ts";
import type { Records } from "./records.ts";
import type { Step, Timeline } from "./step.ts";
import { eventSteps } from "./steps/event-steps.ts";
import { logSteps } from "./steps/log-steps.ts";
import { objectSteps } from "./steps/object-steps.ts";
import { waitingNow, withWaiting } from "./waiting.ts";

/**
 * The life of a volume, put together from what was read of it. The rest of this room, in reading order: `step.ts` (what a time line is made
 * of), `sources/` (reads the cluster, through explain's `Facts`) and `records.ts` (what they found), `steps/` (what each source tells),
 * `chain-order.ts` (what comes first within a second), `waiting.ts`; then `redaction.ts`, and for people `timeline-text.ts` and `page/`.
 */
export function desiredTimeline(records: Records, nowMs: number): Timeline {
  const { subject, claim, totals, unread } = records;
  const told = [...objectSteps(records), ...eventSteps(records.events, records.driver), ...logSteps(records, nowMs)];
  const steps = inOrder(told);
  const created = claim?.metadata.creationTimestamp;
  const startedMs = created === undefined ? firstOf(steps, nowMs) : Date.parse(created);
  return {
    subject: `PersistentVolumeClaim ${subject.namespace}/${subject.name}`,
    state: stateOf(records),
    startedMs,
    steps: [...withWaiting(steps), ...waitingNow(records, steps, nowMs)],
    totals,
    unread,
  };
}

function firstOf(steps: readonly Step[], nowMs: number): number {
  return Math.min(nowMs, ...steps.map(({ atMs }) => atMs));
}

function stateOf({ claim }: Records): string {
  if (claim === undefined) return "gone";
  return claim.metadata.deletionTimestamp === undefined ? (claim.status?.phase ?? "Pending") : "being deleted";
}
