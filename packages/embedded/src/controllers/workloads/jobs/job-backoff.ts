import { findCondition, type Pod, parseTime } from "@stowage/machinery";

const FIRST_MS = 10_000;
const MOST_MS = 600_000;

/** Since the last success. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

/** When a Pod ended, as well as it can be known. */
function finishedMs({ metadata, status }: Pod): number {
  const ended = (status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  const times = ended.filter((time) => time !== undefined);
  if (times.length > 0 && times.length === ended.length) return Math.max(...times.map(parseTime));
  const ready = findCondition(status?.conditions, "Ready");
  const said = ready?.status === "False" ? ready.lastTransitionTime : undefined;
  const time = said ?? metadata.deletionTimestamp ?? metadata.creationTimestamp;
  return time === undefined ? 0 : parseTime(time);
}

/** The record with those that have ended since. */
export function nextRecord(
  record: BackoffRecord | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): BackoffRecord | undefined {
  if (succeeded.length === 0 && failed.length === 0) return record;
  const lastSuccessMs = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(finishedMs));
  const later = failed.map(finishedMs).filter((endedMs) => endedMs > lastSuccessMs);
  if (later.length === 0) return undefined;
  const before = succeeded.length === 0 ? (record?.failures ?? 0) : 0;
  return { failures: before + later.length, lastFailureMs: Math.max(...later) };
}

/** How long the next Pod has to wait. */
export function remainingMs(record: BackoffRecord | undefined, nowMs: number): number {
  if (record === undefined) return 0;
  const backoffMs = Math.min(MOST_MS, FIRST_MS * 2 ** (record.failures - 1));
  return Math.max(0, record.lastFailureMs + backoffMs - nowMs);
}
