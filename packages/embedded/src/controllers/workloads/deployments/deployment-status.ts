import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  findCondition,
  formatTime,
  parseTime,
  type ReplicaSet,
} from "@stowage/machinery";
import { replicasOf, rolloutLimits, sumOf } from "./rollout-amounts.ts";

type Said = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

const NO_DEADLINE = 2_147_483_647;

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE;
}

/** At the end of the list when its status or reason is another; else it stays as it is. */
export function withCondition(
  conditions: readonly DeploymentCondition[] | undefined,
  said: Said,
  nowMs: number,
): DeploymentCondition[] {
  const current = findCondition(conditions, said.type);
  if (current?.status === said.status && current.reason === said.reason) return [...(conditions ?? [])];
  const now = formatTime(nowMs);
  const lastTransitionTime = current?.status === said.status ? current.lastTransitionTime : now;
  return [...without(conditions, said.type), { ...said, lastUpdateTime: now, lastTransitionTime }];
}

function without(conditions: readonly DeploymentCondition[] | undefined, type: string): DeploymentCondition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

export interface Sets {
  readonly fresh: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** What can be counted, and whether enough is available. */
export function countedStatus(deployment: Deployment, { fresh, old }: Sets, nowMs: number): DeploymentStatus {
  const updated = fresh === undefined ? [] : [fresh];
  const all = [...old, ...updated];
  const availableReplicas = sumOf(all, ({ status }) => status?.availableReplicas);
  const isEnough = availableReplicas >= replicasOf(deployment) - rolloutLimits(deployment).unavailable;
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: sumOf(all, ({ status }) => status?.replicas),
    updatedReplicas: sumOf(updated, ({ status }) => status?.replicas),
    readyReplicas: sumOf(all, ({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sumOf(all, replicasOf) - availableReplicas),
    terminatingReplicas: terminatingIn(all),
    collisionCount: deployment.status?.collisionCount,
    conditions: withCondition(deployment.status?.conditions, isEnough ? available : unavailable, nowMs),
  };
}

const available: Said = {
  type: "Available",
  status: "True",
  reason: "MinimumReplicasAvailable",
  message: "Deployment has minimum availability.",
};
const unavailable: Said = {
  type: "Available",
  status: "False",
  reason: "MinimumReplicasUnavailable",
  message: "Deployment does not have minimum availability.",
};

/** Unknown as long as one that was looked at does not say. */
function terminatingIn(sets: readonly ReplicaSet[]): number | undefined {
  const counted = sets.filter(
    ({ status }) => (status?.observedGeneration ?? 0) !== 0 || status?.terminatingReplicas !== undefined,
  );
  if (counted.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined;
  return sumOf(counted, ({ status }) => status?.terminatingReplicas);
}

/** All replicas are of the new template and available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = replicasOf(deployment);
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const hasAll = [updatedReplicas, replicas, availableReplicas].every((count) => count === wanted);
  return hasAll && observedGeneration >= (deployment.metadata.generation ?? 0);
}

/** While a rollout is under way: what is counted, and how it goes. */
export function rolloutStatus(deployment: Deployment, sets: Sets, nowMs: number): DeploymentStatus {
  const counted = countedStatus(deployment, sets, nowMs);
  const conditions = progressConditions(deployment, counted, sets, nowMs);
  return { ...counted, conditions: withFailure(conditions, sets, nowMs) };
}

function progressConditions(
  deployment: Deployment,
  counted: DeploymentStatus,
  { fresh }: Sets,
  nowMs: number,
): DeploymentCondition[] {
  const conditions = counted.conditions ?? [];
  if (!hasProgressDeadline(deployment)) return without(conditions, "Progressing");
  const current = findCondition(deployment.status?.conditions, "Progressing");
  const isDone = current?.reason === "NewReplicaSetAvailable" && counted.replicas === counted.updatedReplicas;
  if (isDone) return conditions;
  const { name } = deployment.metadata;
  const subject = fresh === undefined ? `Deployment "${name}"` : `ReplicaSet "${fresh.metadata.name}"`;
  const said = (status: string, reason: string, what: string): Said => {
    return { type: "Progressing", status, reason, message: `${subject} ${what}` };
  };
  if (isComplete(deployment, counted)) {
    return withCondition(conditions, said("True", "NewReplicaSetAvailable", "has successfully progressed."), nowMs);
  }
  if (isProgressing(deployment.status, counted)) {
    const [progress] = withCondition([], said("True", "ReplicaSetUpdated", "is progressing."), nowMs);
    const since = current?.status === "True" ? current.lastTransitionTime : progress?.lastTransitionTime;
    return [...without(conditions, "Progressing"), { ...(progress as DeploymentCondition), lastTransitionTime: since }];
  }
  if (!hasTimedOut(deployment, conditions, nowMs)) return conditions;
  return withCondition(conditions, said("False", "ProgressDeadlineExceeded", "has timed out progressing."), nowMs);
}

function isProgressing(before: DeploymentStatus | undefined, now: DeploymentStatus): boolean {
  const oldOnes = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  const known = before ?? {};
  const { updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = now;
  return (
    updatedReplicas > (known.updatedReplicas ?? 0) ||
    oldOnes(now) < oldOnes(known) ||
    readyReplicas > (known.readyReplicas ?? 0) ||
    availableReplicas > (known.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, conditions: readonly DeploymentCondition[], nowMs: number): boolean {
  const condition = findCondition(conditions, "Progressing");
  if (condition === undefined || condition.reason === "NewReplicaSetAvailable") return false;
  return condition.reason === "ProgressDeadlineExceeded" || deadlineMs(deployment, condition) < nowMs;
}

function deadlineMs({ spec }: Deployment, { lastUpdateTime = "" }: DeploymentCondition): number {
  return parseTime(lastUpdateTime) + (spec?.progressDeadlineSeconds ?? 0) * 1000;
}

/** What keeps a ReplicaSet from making its Pods; the new one's counts more. */
function withFailure(conditions: DeploymentCondition[], { fresh, old }: Sets, nowMs: number): DeploymentCondition[] {
  const failures = [fresh, ...old].flatMap((set) => findCondition(set?.status?.conditions, "ReplicaFailure") ?? []);
  const [failure] = failures;
  if (failure === undefined) return without(conditions, "ReplicaFailure");
  const { type, status, reason, message, lastTransitionTime } = failure;
  const known = findCondition(conditions, type);
  if (known?.status === status && known.reason === reason) return conditions;
  const lastUpdateTime = lastTransitionTime ?? formatTime(nowMs);
  return [...without(conditions, type), { type, status, reason, message, lastUpdateTime, lastTransitionTime }];
}

/** In how long it must be seen whether the rollout is stuck; undefined when it cannot be. */
export function nextProgressCheckMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const condition = findCondition(deployment.status?.conditions, "Progressing");
  if (!hasProgressDeadline(deployment) || condition === undefined) return undefined;
  if (isComplete(deployment, status) || condition.reason === "ProgressDeadlineExceeded") return undefined;
  // Times are of whole seconds: a second more, and it is over for sure.
  return Math.max(0, deadlineMs(deployment, condition) - nowMs) + 1000;
}
