import {
  findCondition,
  formatTime,
  labelMatcherFromLabels,
  type Pod,
  type ReplicaSet,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
} from "@stowage/machinery";
import { errorText, isPodAvailable, isPodReady } from "../../kit/index.ts";

export interface ReplicaFacts {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** Why not all could be made or deleted. */
  readonly failure: unknown;
  readonly nowMs: number;
}

export function desiredReplicaSetStatus(set: ReplicaSet, facts: ReplicaFacts): ReplicaSetStatus {
  const { active, terminating, nowMs } = facts;
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const labels = labelMatcherFromLabels(set.spec?.template?.metadata?.labels ?? {});
  const count = (isMeant: (pod: Pod) => boolean) => active.filter(isMeant).length;
  return {
    replicas: active.length,
    fullyLabeledReplicas: count(({ metadata }) => labels.matches(metadata.labels ?? {})),
    readyReplicas: count(isPodReady),
    availableReplicas: count((pod) => isPodAvailable(pod, minReadySeconds, nowMs)),
    terminatingReplicas: terminating.length,
    observedGeneration: set.metadata.generation,
    conditions: conditionsOf(set, facts),
  };
}

/** The failure stays as it was first seen until there is none. */
function conditionsOf(set: ReplicaSet, { active, failure, nowMs }: ReplicaFacts): ReplicaSetCondition[] {
  const conditions = set.status?.conditions ?? [];
  const known = findCondition(conditions, "ReplicaFailure");
  if (failure === undefined) return conditions.filter((condition) => condition !== known);
  if (known !== undefined) return conditions;
  const lacking = (set.spec?.replicas ?? 0) - active.length;
  const reason = lacking > 0 ? { reason: "FailedCreate" } : lacking < 0 ? { reason: "FailedDelete" } : {};
  const lastTransitionTime = formatTime(nowMs);
  return [
    ...conditions,
    { type: "ReplicaFailure", status: "True", ...reason, message: errorText(failure), lastTransitionTime },
  ];
}
