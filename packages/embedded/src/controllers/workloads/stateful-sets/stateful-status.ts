import type { Pod, StatefulSet, StatefulSetStatus } from "@stowage/machinery";
import { isPodAvailable, isPodReady } from "../../kit/index.ts";
import { replicasOf, revisionOf } from "./stateful-pod.ts";

export const isCreated = ({ status }: Pod): boolean => Boolean(status?.phase);
export const isTerminating = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
export const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === "Running" && isPodReady(pod);

export interface Revisions {
  /** The name of the one that Pods had up to now. */
  readonly current: string;
  readonly update: string;
  readonly collisionCount: number;
}

export function countedStatus(
  set: StatefulSet,
  revisions: Revisions,
  pods: readonly Pod[],
  nowMs: number,
): StatefulSetStatus {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const count = (isMeant: (pod: Pod) => boolean) => pods.filter(isMeant).length;
  const isOf = (revision: string) => (pod: Pod) =>
    isCreated(pod) && !isTerminating(pod) && revisionOf(pod) === revision;
  return {
    observedGeneration: set.metadata.generation,
    replicas: count(isCreated),
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count((pod) => isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, nowMs)),
    currentReplicas: count(isOf(revisions.current)),
    updatedReplicas: count(isOf(revisions.update)),
    currentRevision: revisions.current,
    updateRevision: revisions.update,
    collisionCount: revisions.collisionCount,
  };
}

/** When all Pods have the new template, it is the current one. */
export function completedStatus(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const wanted = replicasOf(set);
  const { updatedReplicas = 0, readyReplicas = 0, replicas } = status;
  const isComplete = [updatedReplicas, readyReplicas, replicas].every((count) => count === wanted);
  if (set.spec?.updateStrategy?.type !== "RollingUpdate" || !isComplete) return status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: status.updateRevision };
}
