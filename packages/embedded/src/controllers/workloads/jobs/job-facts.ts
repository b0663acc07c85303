import type { Job, JobCondition, Pod } from "@stowage/machinery";
import { parseTime } from "@stowage/machinery";
import { isPodActive, isPodReady, isPodTerminating } from "../../kit/index.ts";
import { isSuspended, jobCondition, trueCondition } from "./job-conditions.ts";
import { indexOf, parseIndexes } from "./job-indexes.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

/** All that decides what happens to a Job. */
export interface JobFacts {
  readonly job: Job;
  /** Those that are its own, without those whose finalizer is known to be gone. */
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  /** Ended, and counted nowhere yet. */
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly succeededIndexes: ReadonlySet<number>;
  readonly nowMs: number;
}

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === "Indexed";

/** Only those that have failed are replaced; else those that are being deleted are, too. */
export function replacesFailedOnly({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

export function isFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === "Failed") return true;
  return !replacesFailedOnly(job) && metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

export function isValidIndex(job: Job, pod: Pod): boolean {
  const index = indexOf(pod);
  return !isIndexed(job) || (index !== undefined && index < (job.spec?.completions ?? 0));
}

/** `untracked` are the uids of Pods whose finalizers are gone already, which the copies do not show yet. */
export function jobFacts(job: Job, pods: readonly Pod[], untracked: ReadonlySet<string>, nowMs: number): JobFacts {
  const { succeeded: counted = 0, failed: countedFailed = 0, uncountedTerminatedPods } = job.status ?? {};
  const uncounted = {
    succeeded: new Set(uncountedTerminatedPods?.succeeded ?? []),
    failed: new Set(uncountedTerminatedPods?.failed ?? []),
  };
  const isNew = (pod: Pod, known: ReadonlySet<string>) => {
    const { uid = "" } = pod.metadata;
    return isTracked(pod) && !known.has(uid) && !untracked.has(uid) && isValidIndex(job, pod);
  };
  const newSucceeded = pods.filter((pod) => isNew(pod, uncounted.succeeded) && pod.status?.phase === "Succeeded");
  const newFailed = pods.filter((pod) => isNew(pod, uncounted.failed) && isFailed(job, pod));
  const countedFailures = newFailed.filter((pod) => failureVerdict(job, pod).isCounted);
  const active = pods.filter(isPodActive);
  const succeededIndexes = indexesIn(job, pods);
  return {
    job,
    pods: pods.filter(({ metadata }) => !untracked.has(metadata.uid ?? "")),
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job) ? succeededIndexes.size : counted + newSucceeded.length + uncounted.succeeded.size,
    failed: countedFailed + countedFailures.length + uncounted.failed.size,
    succeededIndexes,
    nowMs,
  };
}

function indexesIn(job: Job, pods: readonly Pod[]): Set<number> {
  if (!isIndexed(job)) return new Set();
  const indexes = parseIndexes(job.status?.completedIndexes, job.spec?.completions ?? 0);
  const done = pods.filter((pod) => pod.status?.phase === "Succeeded" && isTracked(pod) && isValidIndex(job, pod));
  for (const pod of done) indexes.add(indexOf(pod) ?? 0);
  return indexes;
}

/** What the Job is to end with, as far as it can be said before anything is done. */
export function endOf(facts: JobFacts): JobCondition | undefined {
  const { job, pods, nowMs } = facts;
  const success = trueCondition(job, "SuccessCriteriaMet");
  if (success !== undefined) return success;
  const target = trueCondition(job, "FailureTarget");
  if (target !== undefined) return jobCondition("Failed", target, nowMs);
  const failing = pods.filter((pod) => isFailed(job, pod));
  const message = failing.map((pod) => failureVerdict(job, pod).failsJob).find((text) => text !== undefined);
  const fails = (reason: string, text: string) => jobCondition("FailureTarget", { reason, message: text }, nowMs);
  if (message !== undefined) return fails("PodFailurePolicy", message);
  if (isBeyondBackoff(facts)) return fails("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if (deadlineMs(facts) <= 0) return fails("DeadlineExceeded", "Job was active longer than specified deadline");
  return undefined;
}

function isBeyondBackoff({ job, pods, failed }: JobFacts): boolean {
  const limit = job.spec?.backoffLimit ?? 0;
  if (failed > limit) return true;
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const running = pods.filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending");
  const statuses = running.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** How long it may be active yet. */
export function deadlineMs({ job, nowMs }: JobFacts): number {
  const seconds = job.spec?.activeDeadlineSeconds;
  const { startTime } = job.status ?? {};
  if (seconds === undefined || startTime === undefined || isSuspended(job)) return Number.POSITIVE_INFINITY;
  return parseTime(startTime) + seconds * 1000 - nowMs;
}
