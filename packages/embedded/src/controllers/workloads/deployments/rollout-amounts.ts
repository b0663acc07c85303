import type { Deployment, ReplicaSet } from "@stowage/machinery";
import { scaledValue } from "../../kit/index.ts";

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 0;

export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec?.strategy?.type === "RollingUpdate";
}

export const isActive = (set: ReplicaSet): boolean => replicasOf(set) > 0;

export function sumOf(sets: readonly ReplicaSet[], amountOf: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (amountOf(set) ?? 0), 0);
}

/** How many Pods there may be beyond those that are wanted, and how many of those may be missing. Never none of both: nothing would move. */
export function rolloutLimits(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (!isRollingUpdate(deployment)) return { surge: 0, unavailable: 0 };
  const replicas = replicasOf(deployment);
  const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, replicas, true);
  const resolved = scaledValue(maxUnavailable, replicas, false);
  const unavailable = surge === 0 && resolved === 0 ? 1 : resolved;
  return { surge, unavailable: Math.min(unavailable, replicas) };
}

/** How many the new ReplicaSet is to have now: all that fit beside the old ones. */
export function newSetReplicas(deployment: Deployment, sets: readonly ReplicaSet[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const surge = scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxSurge, wanted, true);
  const room = wanted + surge - sumOf(sets, replicasOf);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}
