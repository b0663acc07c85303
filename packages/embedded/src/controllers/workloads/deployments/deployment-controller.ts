import { createController, type Informer, objectKey } from "@stowage/kube";
import {
  type Deployment,
  deployments,
  labelMatcherFrom,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
  type SyncOutcome,
} from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  claimable,
  claimObjects,
  controlledBy,
  indexByController,
  ownerOf,
  queueBackoff,
  retryOnConflict,
  watchOwned,
} from "../../kit/index.ts";
import type { Rollout } from "./rollout.ts";
import { notePause, recreate, rollOver, scaleOnly, syncCountedStatus, wasScaled } from "./rollout-steps.ts";

const NAME = "deployment-controller";

interface Copies {
  readonly deployments: Informer<Deployment>;
  readonly sets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

/**
 * Brings a Deployment's template to its Pods, ReplicaSet by ReplicaSet.
 *
 * Watches Deployments, ReplicaSets and Pods. Owns ReplicaSets, and adopts those that its selector means. Writes their sizes and
 * annotations, and the Deployment's status, conditions Available, Progressing and ReplicaFailure, and revision. Deletes ReplicaSets
 * without Pods that are beyond the history limit.
 */
export function makeDeploymentController(deps: ControllerDeps): ControllerPart {
  const { client, clock, informers } = deps;
  const copies: Copies = {
    deployments: informers.informer(deployments),
    sets: informers.informer(replicaSets),
    pods: informers.informer(pods),
  };
  indexByController(copies.sets);
  indexByController(copies.pods);
  const recorder = deps.recorder(NAME);
  const controller = createController(deps, {
    name: "deployment",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict(async (key) => {
      const deployment = copies.deployments.objects.getByKey(key);
      if (deployment === undefined) return;
      const sets = await claimedSets(deps, copies, deployment);
      const podsOf = (set: ReplicaSet) => controlledBy(copies.pods, set);
      return await syncDeployment({ client, recorder, clock, deployment, sets, podsOf });
    }),
  });
  watchOwned({
    controller,
    owners: copies.deployments,
    owned: copies.sets,
    selectorOf: ({ spec }) => spec?.selector,
  });
  controller.watch(copies.deployments);
  // What is recreated begins when the last old Pod has gone.
  copies.pods.addHandler({
    onDelete(pod) {
      const set = ownerOf(pod, copies.sets);
      const deployment = set === undefined ? undefined : ownerOf(set, copies.deployments);
      if (deployment?.spec?.strategy?.type === "Recreate") controller.queue.add(objectKey(deployment));
    },
  });
  return { name: NAME, run: (signal) => controller.run(signal) };
}

async function claimedSets({ client }: ControllerDeps, { sets }: Copies, owner: Deployment): Promise<ReplicaSet[]> {
  const selector = labelMatcherFrom(owner.spec?.selector);
  const isMatch = ({ metadata }: ReplicaSet) => selector.matches(metadata.labels ?? {});
  return await claimObjects(
    { client, type: replicaSets, ownerType: deployments, owner, isMatch },
    claimable(sets, owner),
  );
}

async function syncDeployment(rollout: Rollout): Promise<SyncOutcome | void> {
  const { deployment } = rollout;
  if (deployment.metadata.deletionTimestamp !== undefined) return await syncCountedStatus(rollout);
  await notePause(rollout);
  if (deployment.spec?.paused || (await wasScaled(rollout))) return await scaleOnly(rollout);
  return await (deployment.spec?.strategy?.type === "Recreate" ? recreate(rollout) : rollOver(rollout));
}
