import { isNamespaceTerminating, isNotFound, objectKey } from "@stowage/kube";
import { formatTime, type Job, type JobCondition, type JobStatus, type Pod } from "@stowage/machinery";
import { createPod, deletePod, isPodReady, slowStart } from "../../kit/index.ts";
import { nextRecord, remainingMs } from "./job-backoff.ts";
import { isSuspended, jobCondition, withJobCondition } from "./job-conditions.ts";
import { deadlineMs, endOf, isTracked, type JobFacts } from "./job-facts.ts";
import { podPlan } from "./job-pods.ts";
import { removeFinalizer, type Tracked, trackJob } from "./job-tracking.ts";
import type { JobWorld } from "./job-world.ts";

interface Counts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

interface Managed extends Counts {
  readonly error?: unknown;
  readonly waitMs?: number;
}

/** One pass over a Job that is not finished. Returns in how long it must be looked at again. */
export async function syncJob(world: JobWorld, facts: JobFacts, mayAct: boolean): Promise<number | undefined> {
  const { job, nowMs } = facts;
  const started = withStart(facts);
  const end = endOf({ ...facts, job: { ...job, status: started } });
  const record = nextRecord(world.backoffs.get(objectKey(job)), facts.newSucceeded, facts.newFailed);
  const managed = await (end === undefined ? manage(world, facts, { mayAct, record }) : stop(world, facts));
  const hasStopped = end !== undefined && managed.active === 0 && mayAct;
  const success = end === undefined && isComplete(facts, managed) ? successCondition(nowMs) : undefined;
  const { active, ready, terminating } = managed;
  const isManaged =
    end === undefined && success === undefined && mayAct && job.metadata.deletionTimestamp === undefined;
  const status = { ...(isManaged ? suspension(world, facts, started) : started), active, ready, terminating };
  const tracked = await trackJob(world, { facts, end: hasStopped ? end : success, status });
  if (record === undefined) world.backoffs.delete(objectKey(job));
  else world.backoffs.set(objectKey(job), record);
  world.noteWritten(tracked.job);
  tellEnd(world, tracked);
  if (managed.error !== undefined) throw managed.error;
  const waits = [managed.waitMs, deadlineMs({ ...facts, job: tracked.job })].filter((wait) => wait !== undefined);
  const waitMs = Math.min(...waits);
  return Number.isFinite(waitMs) && tracked.ended === undefined ? waitMs : undefined;
}

function withStart({ job, nowMs }: JobFacts): JobStatus {
  const { status = {} } = job;
  const isBegun = status.startTime !== undefined || isSuspended(job);
  return { uncountedTerminatedPods: {}, ...status, ...(isBegun ? {} : { startTime: formatTime(nowMs) }) };
}

function successCondition(nowMs: number): JobCondition {
  const message = "Reached expected number of succeeded pods";
  return jobCondition("SuccessCriteriaMet", { reason: "CompletionsReached", message }, nowMs);
}

function isComplete({ job, succeeded }: JobFacts, { active }: Counts): boolean {
  if (active > 0) return false;
  const { completions } = job.spec ?? {};
  return completions === undefined ? succeeded > 0 : succeeded >= completions;
}

/** What runs is of no use any more. */
async function stop({ control }: JobWorld, { job, active, ready, terminating }: JobFacts): Promise<Managed> {
  const outcomes = await Promise.allSettled(
    active.map(async (pod) => {
      await deletePod(control, job, pod).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }),
  );
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  const deleted = active.length - failed.length;
  return {
    active: failed.length,
    ready: Math.max(0, ready - active.filter(isPodReady).length),
    terminating: terminating + deleted,
    error: failed[0]?.reason,
  };
}

interface Allowed {
  readonly mayAct: boolean;
  readonly record: ReturnType<typeof nextRecord>;
}

async function manage(world: JobWorld, facts: JobFacts, { mayAct, record }: Allowed): Promise<Managed> {
  const { job, active, ready, terminating, nowMs } = facts;
  const same = { active: active.length, ready, terminating };
  if (!mayAct || job.metadata.deletionTimestamp !== undefined) return same;
  const plan = podPlan(facts);
  if (plan.delete.length > 0) return await deleteSurplus(world, facts, plan.delete);
  if (plan.create.length === 0) return same;
  const waitMs = remainingMs(record, nowMs);
  if (waitMs > 0) return { ...same, waitMs: Math.max(waitMs, 1_000) };
  const { successes, error } = await createAll(world, job, plan.create);
  return { ...same, active: active.length + successes, error };
}

async function createAll({ control, expectations }: JobWorld, job: Job, pods: readonly Pod[]) {
  const key = objectKey(job);
  expectations.expect(key, { creations: pods.length });
  const outcome = await slowStart(pods.length, async (index) => {
    await createPod(control, job, pods[index] as Pod).catch((failure: unknown) => {
      if (!isNamespaceTerminating(failure)) throw failure;
    });
  });
  for (let skipped = outcome.successes; skipped < pods.length; skipped++) expectations.creationSeen(key);
  return outcome;
}

/** They count neither as done nor as failed. */
async function deleteSurplus(world: JobWorld, facts: JobFacts, surplus: readonly Pod[]): Promise<Managed> {
  const { control, expectations } = world;
  const { job, active, ready, terminating } = facts;
  const key = objectKey(job);
  expectations.expect(key, { deletions: surplus.map(({ metadata }) => metadata.uid ?? "") });
  const outcomes = await Promise.allSettled(
    surplus.map(async (pod) => {
      try {
        if (isTracked(pod)) await removeFinalizer(control.client, pod);
        await deletePod(control, job, pod);
      } catch (error) {
        expectations.deletionSeen(key, pod.metadata.uid ?? "");
        if (!isNotFound(error)) throw error;
      }
    }),
  );
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  const deleted = surplus.length - failed.length;
  const deletedReady = surplus.filter(isPodReady).length;
  return {
    active: active.length - deleted,
    ready: ready - deletedReady,
    terminating: terminating + deleted,
    error: failed[0]?.reason,
  };
}

/** Says whether it is suspended; its time counts anew when it goes on. */
function suspension({ control }: JobWorld, { job, nowMs }: JobFacts, status: JobStatus): JobStatus {
  const { conditions = [] } = status;
  const now = formatTime(nowMs);
  const said = isSuspended(job)
    ? jobCondition("Suspended", { reason: "JobSuspended", message: "Job suspended" }, nowMs)
    : { ...jobCondition("Suspended", { reason: "JobResumed", message: "Job resumed" }, nowMs), status: "False" };
  const next = withJobCondition(conditions, said);
  if (next.length === conditions.length && next.every((each, index) => each === conditions[index])) return status;
  const reason = isSuspended(job) ? "Suspended" : "Resumed";
  control.recorder.event(job, "Normal", reason, said.message ?? "");
  return { ...status, conditions: next, startTime: isSuspended(job) ? undefined : now };
}

function tellEnd({ control }: JobWorld, { job, ended }: Tracked): void {
  if (ended === undefined) return;
  const { recorder } = control;
  if (ended.type === "Failed") {
    recorder.event(job, "Warning", ended.reason ?? "", ended.message ?? "");
    return;
  }
  const { completions } = job.spec ?? {};
  if (completions !== undefined && (job.status?.succeeded ?? 0) > completions) {
    const message = "Too many succeeded pods running after completion count reached";
    recorder.event(job, "Warning", "TooManySucceededPods", message);
  }
  recorder.event(job, "Normal", "Completed", "Job completed");
}
