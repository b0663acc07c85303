import { createController, type Informer } from "@stowage/kube";
import {
  type ControllerRevision,
  controllerRevisions,
  labelMatcherFrom,
  type Pod,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
  type SyncOutcome,
  statefulSets,
} from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  claimable,
  claimObjects,
  Expectations,
  indexByController,
  isSameStatus,
  nextAvailabilityMs,
  queueBackoff,
  retryOnConflict,
  watchOwned,
} from "../../kit/index.ts";
import { removeOutdated, syncHistory } from "./stateful-history.ts";
import { memberOf } from "./stateful-pod.ts";
import type { StatefulControl } from "./stateful-pod-control.ts";
import { completedStatus } from "./stateful-status.ts";
import { updateStatefulSet } from "./stateful-update.ts";

const NAME = "statefulset-controller";

interface Sets extends StatefulControl {
  readonly clock: ControllerDeps["clock"];
  readonly sets: Informer<StatefulSet>;
  readonly pods: Informer<Pod>;
  readonly revisions: Informer<ControllerRevision>;
}

/**
 * Keeps Pods with names and claims of their own, one after the other.
 *
 * Watches StatefulSets, Pods and ControllerRevisions, and reads PersistentVolumeClaims. Owns Pods and ControllerRevisions, and adopts
 * those that its selector and name mean. Writes the status of StatefulSets, and claims with their owners. Deletes Pods that are too
 * many, have ended or have an old template, and ControllerRevisions beyond the history limit; never claims.
 */
export function makeStatefulSetController(deps: ControllerDeps): ControllerPart {
  const { client, clock, informers } = deps;
  const sets: Sets = {
    client,
    clock,
    recorder: deps.recorder(NAME),
    expectations: new Expectations(clock),
    sets: informers.informer(statefulSets),
    pods: informers.informer(pods),
    claims: informers.informer(persistentVolumeClaims),
    revisions: informers.informer(controllerRevisions),
  };
  indexByController(sets.pods);
  indexByController(sets.revisions);
  const controller = createController(deps, {
    name: "statefulset",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict((key) => syncStatefulSet(sets, key)),
  });
  const selectorOf = ({ spec }: StatefulSet) => spec?.selector;
  watchOwned({ controller, owners: sets.sets, owned: sets.pods, expectations: sets.expectations, selectorOf });
  controller.watch(sets.sets);
  return { name: NAME, run: (signal) => controller.run(signal) };
}

async function syncStatefulSet(sets: Sets, key: string): Promise<SyncOutcome> {
  const { client, clock } = sets;
  const set = sets.sets.objects.getByKey(key);
  // What was done last is not seen yet: this is looked at again when it is.
  if (set === undefined || !sets.expectations.areMet(key)) return;
  const own = await claimedPods(sets, set);
  const history = await syncHistory(sets, set);
  const nowMs = clock.nowMs();
  const status = completedStatus(set, await updateStatefulSet(sets, { set, history, pods: own, nowMs }));
  if (!isSameStatus(set.status, status)) {
    await client.update(statefulSets, { ...set, status }, { subresource: "status" });
  }
  await removeOutdated(client, set, { ...history, pods: own });
  const waitMs = nextAvailabilityMs(own, set.spec?.minReadySeconds ?? 0, nowMs);
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

async function claimedPods({ client, pods: copies }: Sets, owner: StatefulSet): Promise<Pod[]> {
  const selector = labelMatcherFrom(owner.spec?.selector);
  const isMatch = (pod: Pod) =>
    selector.matches(pod.metadata.labels ?? {}) && memberOf(pod)?.parent === owner.metadata.name;
  return await claimObjects({ client, type: pods, ownerType: statefulSets, owner, isMatch }, claimable(copies, owner));
}
