import { createController, objectKey } from "@stowage/kube";
import { type Job, jobs, labelMatcherFrom, type Pod, pods, type SyncOutcome } from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  claimable,
  claimObjects,
  controllerOf,
  indexByController,
  ownerOf,
  queueBackoff,
  retryOnConflict,
  watchOwned,
} from "../../kit/index.ts";
import { isFinished } from "./job-conditions.ts";
import { isTracked, jobFacts, TRACKING_FINALIZER } from "./job-facts.ts";
import { syncJob } from "./job-sync.ts";
import { removeFinalizer } from "./job-tracking.ts";
import { JobWorld } from "./job-world.ts";

const NAME = "job-controller";
const OWN_CONTROLLER = "kubernetes.io/job-controller";

/**
 * Runs Pods until enough of them have succeeded.
 *
 * Watches Jobs and Pods. Owns Pods, and adopts those that its selector means; each keeps a finalizer until it is counted. Writes the
 * status of Jobs and their conditions Suspended, SuccessCriteriaMet, FailureTarget, Complete and Failed. Deletes Pods that are too many
 * or of no more use.
 *
 * Not done: backoff limits for each index, and success policies.
 */
export function makeJobController(deps: ControllerDeps): ControllerPart {
  const { client, clock, informers } = deps;
  const copies = { jobs: informers.informer(jobs), pods: informers.informer(pods) };
  const world = new JobWorld(deps, { client, recorder: deps.recorder(NAME) }, copies);
  indexByController(copies.pods);
  noteFinalizers(world);
  const controller = createController(deps, {
    name: "job",
    workers: 5,
    backoff: { ...queueBackoff, initialMs: 1_000, maximumMs: 60_000 },
    sync: retryOnConflict((key) => syncKey(world, key, clock.nowMs())),
  });
  const { expectations } = world;
  const selectorOf = ({ spec }: Job) => spec?.selector;
  watchOwned({ controller, owners: copies.jobs, owned: copies.pods, expectations, selectorOf });
  controller.watch(copies.jobs);
  const orphans = orphanController(deps, world);
  return {
    name: NAME,
    async run(signal) {
      await Promise.all([controller.run(signal), orphans.run(signal)]);
    },
  };
}

/** Before the queue hears of it. */
function noteFinalizers(world: JobWorld): void {
  const note = (pod: Pod) => {
    const job = ownerOf(pod, world.jobs);
    if (job !== undefined) world.finalizerGone(objectKey(job), pod.metadata.uid ?? "");
  };
  world.pods.addHandler({
    onUpdate(pod) {
      if (!isTracked(pod)) note(pod);
    },
    onDelete: note,
  });
}

async function syncKey(world: JobWorld, key: string, nowMs: number): Promise<SyncOutcome> {
  const job = world.job(key);
  if (job === undefined || isFinished(job)) {
    if (job === undefined) world.forget(key);
    else world.backoffs.delete(key);
    return;
  }
  const { managedBy = OWN_CONTROLLER } = job.spec ?? {};
  if (managedBy !== OWN_CONTROLLER) return;
  const mayAct = world.expectations.areMet(key);
  const facts = jobFacts(job, await claimedPods(world, job), world.untracked(key), nowMs);
  const waitMs = await syncJob(world, facts, mayAct);
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

async function claimedPods({ client, pods: copies }: JobWorld, owner: Job): Promise<Pod[]> {
  const selector = labelMatcherFrom(owner.spec?.selector);
  const isMatch = ({ metadata }: Pod) => selector.matches(metadata.labels ?? {});
  const claim = { client, type: pods, ownerType: jobs, owner, isMatch, finalizer: TRACKING_FINALIZER };
  return await claimObjects(claim, claimable(copies, owner));
}

/** Pods whose Job is gone or finished wait for nobody's count. */
function orphanController(deps: ControllerDeps, world: JobWorld) {
  const orphans = createController(deps, {
    name: "job_orphan_pod",
    workers: 1,
    backoff: queueBackoff,
    async sync(key) {
      const pod = world.pods.objects.getByKey(key);
      if (pod !== undefined && isOrphan(world, pod)) await removeFinalizer(world.client, pod);
    },
  });
  orphans.watch(world.pods, (pod) => (isOrphan(world, pod) ? [objectKey(pod)] : []));
  // When a Job goes, its Pods are looked at once more.
  world.jobs.addHandler({
    onDelete(job) {
      for (const pod of world.pods.objects.list()) {
        if (isTracked(pod) && controllerOf(pod)?.uid === job.metadata.uid) orphans.queue.add(objectKey(pod));
      }
    },
  });
  return orphans;
}

function isOrphan({ jobs: copies }: JobWorld, pod: Pod): boolean {
  if (!isTracked(pod)) return false;
  const controller = controllerOf(pod);
  if (controller !== undefined && controller.kind !== "Job") return false;
  const job = ownerOf(pod, copies);
  return job === undefined || isFinished(job);
}
