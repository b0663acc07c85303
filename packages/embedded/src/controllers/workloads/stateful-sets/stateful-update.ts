import type { Pod, StatefulSet, StatefulSetStatus } from "@stowage/machinery";
import { isPodAvailable, isPodFinished, slowStart } from "../../kit/index.ts";
import { type StatefulHistory, setOfRevision } from "./stateful-history.ts";
import {
  desiredPod,
  firstOrdinal,
  hasOldTemplate,
  isInRange,
  ordinalOf,
  replicasOf,
  revisionOf,
} from "./stateful-pod.ts";
import {
  areClaimsRight,
  createClaims,
  createStatefulPod,
  deleteStatefulPod,
  hasStaleClaims,
  repairStatefulPod,
  type StatefulControl,
  syncClaimOwners,
} from "./stateful-pod-control.ts";
import { countedStatus, isCreated, isRunningAndReady, isTerminating, type Revisions } from "./stateful-status.ts";

/** One set with its Pods, as they are looked at now. */
export interface StatefulView {
  readonly set: StatefulSet;
  readonly history: StatefulHistory;
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

/** Whether nothing more is to be done now: one waits for the other. */
type Stops = boolean;

/** Brings the Pods one step nearer, and says what there is then. */
export async function updateStatefulSet(control: StatefulControl, view: StatefulView): Promise<StatefulSetStatus> {
  const { set, history, pods, nowMs } = view;
  const { current, update, collisionCount } = history;
  const revisions: Revisions = {
    current: current.metadata.name ?? "",
    update: update.metadata.name ?? "",
    collisionCount,
  };
  if (set.metadata.deletionTimestamp !== undefined) return countedStatus(set, revisions, pods, nowMs);
  const replicas = desiredReplicas(view, revisions);
  const condemned = pods.filter((pod) => ordinalOf(pod) >= 0 && !isInRange(pod, set));
  const descending = condemned.toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  const counted = () => countedStatus(set, revisions, [...replicas, ...descending], nowMs);
  const updateSet = setOfRevision(set, update);
  const firstBad = [...replicas, ...descending.toReversed()].find((pod) => isUnavailable(view, pod));
  const stops =
    (await forEach(view, replicas, (pod) => syncReplica(control, view, { updateSet, pod }))) ||
    (await forEach(view, descending, (pod) => fixClaims(control, updateSet, pod))) ||
    (await forEach(view, descending, (pod) => condemn(control, view, { pod, firstBad })));
  if (stops || set.spec?.updateStrategy?.type === "OnDelete") return counted();
  const hasReplaced = await replaceOne(control, view, replicas);
  const status = counted();
  return hasReplaced ? { ...status, currentReplicas: (status.currentReplicas ?? 0) - 1 } : status;
}

/** One for each ordinal: what is there, or what is to be made. */
function desiredReplicas({ set, history, pods }: StatefulView, { current, update }: Revisions): Pod[] {
  return Array.from({ length: replicasOf(set) }, (_, index) => {
    const ordinal = firstOrdinal(set) + index;
    const known = pods.find((pod) => ordinalOf(pod) === ordinal);
    if (known !== undefined) return known;
    if (hasOldTemplate(set, ordinal)) return desiredPod(setOfRevision(set, history.current), current, ordinal);
    return desiredPod(setOfRevision(set, history.update), update, ordinal);
  });
}

function isUnavailable({ set, nowMs }: StatefulView, pod: Pod): boolean {
  return isTerminating(pod) || !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
}

const isOrdered = ({ set }: StatefulView) => set.spec?.podManagementPolicy !== "Parallel";

/** In order each waits for the one before it; else all at once, beginning slowly. */
async function forEach(view: StatefulView, all: readonly Pod[], act: (pod: Pod) => Promise<Stops>): Promise<Stops> {
  if (!isOrdered(view)) {
    const { error } = await slowStart(all.length, async (index) => await act(all[index] as Pod));
    if (error !== undefined) throw error;
    return false;
  }
  for (const pod of all) if (await act(pod)) return true;
  return false;
}

interface Replica {
  readonly updateSet: StatefulSet;
  readonly pod: Pod;
}

async function syncReplica(control: StatefulControl, view: StatefulView, { updateSet, pod }: Replica): Promise<Stops> {
  const { set } = view;
  if (isPodFinished(pod)) {
    if (!isTerminating(pod)) await deleteStatefulPod(control, set, pod);
    return true;
  }
  if (!isCreated(pod)) {
    if (hasStaleClaims(control, set, pod)) return true;
    await createStatefulPod(control, set, pod);
    return true;
  }
  if (pod.status?.phase === "Pending") {
    await createClaims(control, set, pod);
    await syncClaimOwners(control, set, pod);
  }
  if (isOrdered(view) && (!isRunningAndReady(pod) || isUnavailable(view, pod))) return true;
  await repairStatefulPod(control, updateSet, pod);
  return false;
}

async function fixClaims(control: StatefulControl, updateSet: StatefulSet, pod: Pod): Promise<Stops> {
  if (!areClaimsRight(control, updateSet, pod)) await syncClaimOwners(control, updateSet, pod);
  return false;
}

/** Those beyond the wanted number go, the last first; in order only when all others are well. */
async function condemn(
  control: StatefulControl,
  view: StatefulView,
  { pod, firstBad }: { readonly pod: Pod; readonly firstBad: Pod | undefined },
): Promise<Stops> {
  if (isTerminating(pod)) return isOrdered(view);
  const isWell = isRunningAndReady(pod) && !isUnavailable(view, pod);
  if (isOrdered(view) && !isWell && pod !== firstBad) return true;
  await deleteStatefulPod(control, view.set, pod);
  return true;
}

/** From the last down to the partition, one by one: the next goes when the one before is available again. */
async function replaceOne(control: StatefulControl, view: StatefulView, replicas: readonly Pod[]): Promise<boolean> {
  const { set, history } = view;
  const from = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(from).toReversed()) {
    if (revisionOf(pod) !== history.update.metadata.name && !isTerminating(pod)) {
      await deleteStatefulPod(control, set, pod);
      return true;
    }
    if (isUnavailable(view, pod)) return false;
  }
  return false;
}
