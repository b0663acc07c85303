import { createController, type KubeClient } from "@stowage/kube";
import { labelMatcherFrom, type Pod, pods, type ReplicaSet, replicaSets, type SyncOutcome } from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  claimable,
  claimObjects,
  Expectations,
  indexByController,
  isPodActive,
  isPodTerminating,
  isSameStatus,
  nextAvailabilityMs,
  queueBackoff,
  retryOnConflict,
  watchOwned,
} from "../../kit/index.ts";
import { desiredReplicaSetStatus } from "./replica-set-status.ts";
import { type Replicas, syncReplicas } from "./replicas.ts";

const NAME = "replicaset-controller";

interface Sets extends Replicas {
  readonly client: KubeClient;
  readonly clock: ControllerDeps["clock"];
}

/**
 * Keeps as many Pods of a template as a ReplicaSet wants.
 *
 * Watches ReplicaSets and Pods. Owns the Pods that it makes, and adopts those without a controller that its selector means. Writes the
 * status of ReplicaSets and their condition ReplicaFailure. Deletes Pods when there are more than wanted.
 */
export function makeReplicaSetController(deps: ControllerDeps): ControllerPart {
  const { client, clock } = deps;
  const informers = { sets: deps.informers.informer(replicaSets), pods: deps.informers.informer(pods) };
  const expectations = new Expectations(clock);
  const control = { client, recorder: deps.recorder(NAME) };
  indexByController(informers.pods);
  const world: Sets = { client, clock, control, expectations, ...informers };
  const controller = createController(deps, {
    name: "replicaset",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict((key) => syncReplicaSet(world, key)),
  });
  watchOwned({
    controller,
    owners: informers.sets,
    owned: informers.pods,
    expectations,
    selectorOf: ({ spec }) => spec?.selector,
  });
  controller.watch(informers.sets);
  return { name: NAME, run: (signal) => controller.run(signal) };
}

async function syncReplicaSet(world: Sets, key: string): Promise<SyncOutcome> {
  const set = world.sets.objects.getByKey(key);
  if (set === undefined) return;
  const mayAct = world.expectations.areMet(key);
  const claimed = await claimedPods(world, set);
  const active = claimed.filter(isPodActive);
  const nowMs = world.clock.nowMs();
  const isGoing = set.metadata.deletionTimestamp !== undefined;
  const failure = mayAct && !isGoing ? await syncReplicas(world, set, active, nowMs) : undefined;
  const terminating = claimed.filter(isPodTerminating);
  await writeStatus(world.client, set, desiredReplicaSetStatus(set, { active, terminating, failure, nowMs }));
  if (failure !== undefined) throw failure;
  const waitMs = nextAvailabilityMs(active, set.spec?.minReadySeconds ?? 0, nowMs);
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

async function claimedPods({ client, pods: copies }: Sets, set: ReplicaSet): Promise<Pod[]> {
  const selector = labelMatcherFrom(set.spec?.selector);
  const isMatch = ({ metadata }: Pod) => selector.matches(metadata.labels ?? {});
  return await claimObjects(
    { client, type: pods, ownerType: replicaSets, owner: set, isMatch },
    claimable(copies, set),
  );
}

async function writeStatus(client: KubeClient, set: ReplicaSet, status: ReplicaSet["status"]): Promise<void> {
  if (isSameStatus(set.status, status)) return;
  await client.update(replicaSets, { ...set, status }, { subresource: "status" });
}
