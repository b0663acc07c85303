import type { Deployment, ReplicaSet } from "@stowage/machinery";
import { isActive, replicasOf, rolloutLimits, sumOf } from "./rollout-amounts.ts";
import { byCreation } from "./set-order.ts";

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

const availableOf = ({ status }: ReplicaSet) => status?.availableReplicas;

/**
 * By how much the old ReplicaSets of a rolling update shrink now, one step after the other: first by Pods that do not work anyway, then by as many as
 * the available ones allow.
 */
export function oldSetSteps(deployment: Deployment, old: readonly ReplicaSet[], fresh: ReplicaSet): Scaling[] {
  const active = old.filter(isActive).toSorted(byCreation);
  const atLeast = replicasOf(deployment) - rolloutLimits(deployment).unavailable;
  const freshUnavailable = replicasOf(fresh) - (availableOf(fresh) ?? 0);
  const most = sumOf([...old, fresh], replicasOf) - atLeast - freshUnavailable;
  if (active.length === 0 || most <= 0) return [];
  const unhealthy = shrunk(active, most, (set) => replicasOf(set) - (availableOf(set) ?? 0));
  const after = active.map((set) => unhealthy.find((step) => step.set === set) ?? { set, replicas: replicasOf(set) });
  const spare = sumOf([...active, fresh], availableOf) - atLeast;
  const current = new Map(after.map(({ set, replicas }) => [set, replicas]));
  return [...unhealthy, ...shrunk(active, spare, (set) => current.get(set) ?? 0, current)];
}

/** Takes `most` from the sets in turn, from each as many as `shareOf` gives. */
function shrunk(
  sets: readonly ReplicaSet[],
  most: number,
  shareOf: (set: ReplicaSet) => number,
  current?: ReadonlyMap<ReplicaSet, number>,
): Scaling[] {
  const steps: Scaling[] = [];
  let left = most;
  for (const set of sets) {
    const share = Math.min(left, shareOf(set));
    if (share <= 0) continue;
    steps.push({ set, replicas: (current?.get(set) ?? replicasOf(set)) - share });
    left -= share;
  }
  return steps;
}
