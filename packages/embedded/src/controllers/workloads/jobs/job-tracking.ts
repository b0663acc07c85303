import { isNotFound, type KubeClient, objectKey } from "@stowage/kube";
import { type Job, type JobCondition, type JobStatus, jobs, type Pod, pods } from "@stowage/machinery";
import { isSameStatus } from "../../kit/index.ts";
import { jobCondition, trueCondition, withJobCondition } from "./job-conditions.ts";
import { isFailed, isIndexed, isTracked, isValidIndex, type JobFacts, TRACKING_FINALIZER } from "./job-facts.ts";
import { formatIndexes, indexOf } from "./job-indexes.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

/** So many Pods at most are on their way into the counts at once. */
const MOST_UNCOUNTED = 500;

export interface Tracker {
  readonly client: KubeClient;
  /** Before it is asked for, and again when it was seen or has failed. */
  finalizerGoing(key: string, uid: string): void;
  finalizerGone(key: string, uid: string): void;
}

export interface Tracked {
  readonly job: Job;
  /** The condition that it has just ended with. */
  readonly ended: JobCondition | undefined;
}

/**
 * Writes the status in two steps, so that no Pod is counted twice and none is forgotten, whenever this is interrupted: first the uids of
 * Pods that have ended; then their finalizers go, and with them they move into the counts.
 */
export async function trackJob(
  tracker: Tracker,
  { facts, end, status }: { facts: JobFacts; end: JobCondition | undefined; status: JobStatus },
): Promise<Tracked> {
  const { client } = tracker;
  const key = objectKey(facts.job);
  const leaving = leavingPods(facts, end).slice(0, MOST_UNCOUNTED);
  const tracked = new Set(facts.pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ""));
  const told = withEndTold(withLeaving(counted(status, tracked), facts, { leaving, end }), end, facts.nowMs);
  let job = await write(client, facts.job, told.status);
  const failed = await removeFinalizers(tracker, key, leaving, (uid) => tracked.delete(uid));
  const final = counted(job.status ?? {}, tracked);
  const isOver =
    told.end !== undefined && failed === undefined && isAllCounted(final) && (status.terminating ?? 0) === 0;
  job = await write(client, job, isOver && told.end ? withEnd(final, told.end) : final);
  if (failed !== undefined) throw failed;
  return { job, ended: isOver ? told.end : undefined };
}

/** Those that the Job has no more to do with. */
function leavingPods({ job, pods: all }: JobFacts, end: JobCondition | undefined): Pod[] {
  const isEnding = end !== undefined || job.metadata.deletionTimestamp !== undefined;
  return all.filter((pod) => isTracked(pod) && (isEnding || pod.status?.phase === "Succeeded" || isFailed(job, pod)));
}

function withLeaving(
  status: JobStatus,
  { job, succeededIndexes }: JobFacts,
  { leaving, end }: { leaving: readonly Pod[]; end: JobCondition | undefined },
): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const isFailing = end !== undefined && end.type !== "SuccessCriteriaMet";
  const isDone = ({ metadata, status: said }: Pod) =>
    said?.phase === "Succeeded" && !failed.includes(metadata.uid ?? "");
  const done = leaving.filter(isDone);
  const lost = leaving
    .filter((pod) => !isDone(pod) && (isFailed(job, pod) || isFailing) && isValidIndex(job, pod))
    .filter((pod) => failureVerdict(job, pod).isCounted);
  const uidsOf = (these: readonly Pod[], known: readonly string[]) => [
    ...known,
    ...these.map(({ metadata }) => metadata.uid ?? "").filter((uid) => !known.includes(uid)),
  ];
  const uncounted = { succeeded: isIndexed(job) ? succeeded : uidsOf(done, succeeded), failed: uidsOf(lost, failed) };
  const indexes = new Set([
    ...succeededIndexes,
    ...done.map((pod) => indexOf(pod) ?? -1).filter((index) => index >= 0),
  ]);
  return {
    ...status,
    uncountedTerminatedPods: withoutEmpty(uncounted),
    ...(isIndexed(job) ? { succeeded: indexes.size, completedIndexes: formatIndexes(indexes) } : {}),
  };
}

/** What the Job will end with is said before it has. */
function withEndTold(status: JobStatus, end: JobCondition | undefined, nowMs: number) {
  if (end === undefined) return { status, end };
  const { conditions = [] } = status;
  const isTold = trueCondition({ status } as Job, end.type) !== undefined;
  const told = isTold || end.type === "Failed" ? conditions : [...conditions, end];
  const type = end.type === "SuccessCriteriaMet" ? "Complete" : "Failed";
  return { status: { ...status, conditions: told }, end: jobCondition(type, end, nowMs) };
}

/** Pods without a finalizer are counted by number. */
function counted(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const kept = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - kept.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - kept.failed.length,
    uncountedTerminatedPods: withoutEmpty(kept),
  };
}

function withoutEmpty(lists: { succeeded: string[]; failed: string[] }): JobStatus["uncountedTerminatedPods"] {
  return Object.fromEntries(Object.entries(lists).filter(([, uids]) => uids.length > 0));
}

function isAllCounted({ uncountedTerminatedPods }: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  return succeeded.length + failed.length === 0;
}

function withEnd(status: JobStatus, end: JobCondition): JobStatus {
  const conditions = withJobCondition(status.conditions ?? [], end);
  const completion = end.type === "Complete" ? { completionTime: end.lastTransitionTime } : {};
  return { ...status, conditions, ...completion };
}

async function write(client: KubeClient, job: Job, status: JobStatus): Promise<Job> {
  if (isSameStatus(job.status, status)) return job;
  return await client.update(jobs, { ...job, status }, { subresource: "status" });
}

/** Returns the first failure. */
async function removeFinalizers(
  tracker: Tracker,
  key: string,
  leaving: readonly Pod[],
  onGone: (uid: string) => void,
): Promise<unknown> {
  const outcomes = await Promise.allSettled(
    leaving.map(async (pod) => {
      const { uid = "" } = pod.metadata;
      tracker.finalizerGoing(key, uid);
      await removeFinalizer(tracker.client, pod).catch((error: unknown) => {
        tracker.finalizerGone(key, uid);
        throw error;
      });
      onGone(uid);
    }),
  );
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

export async function removeFinalizer(client: KubeClient, { metadata }: Pod): Promise<void> {
  const { namespace, name = "" } = metadata;
  const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER] } };
  await client.patch(pods, { namespace, name }, { type: "strategic", patch }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
