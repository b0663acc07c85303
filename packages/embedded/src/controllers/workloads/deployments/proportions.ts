import type { Deployment, ReplicaSet } from "@stowage/machinery";
import type { Scaling } from "./old-set-steps.ts";
import { annotationNames } from "./revisions.ts";
import { isActive, isRollingUpdate, replicasOf, rolloutLimits, sumOf } from "./rollout-amounts.ts";
import { byCreation, bySizeNewer, bySizeOlder } from "./set-order.ts";

export interface ScalingPlan {
  readonly steps: readonly Scaling[];
  /** Also where no more than the annotations change. */
  readonly isForced: boolean;
}

/** How a Deployment that was scaled, or is paused, shares its replicas out: in proportion, so that a rollout goes on as it was. */
export function scalingPlan(
  deployment: Deployment,
  fresh: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScalingPlan {
  const wanted = replicasOf(deployment);
  const only = activeOrLatest(fresh, old);
  if (only !== undefined) return { steps: [{ set: only, replicas: wanted }], isForced: false };
  if (fresh !== undefined && isSaturated(deployment, fresh)) {
    return { steps: old.filter(isActive).map((set) => ({ set, replicas: 0 })), isForced: false };
  }
  if (!isRollingUpdate(deployment)) return { steps: [], isForced: false };
  const active = [...old, ...(fresh === undefined ? [] : [fresh])].filter(isActive);
  return { steps: proportionally(deployment, active), isForced: true };
}

/** The one that is to have all; undefined when there is none, or several share. */
function activeOrLatest(fresh: ReplicaSet | undefined, old: readonly ReplicaSet[]): ReplicaSet | undefined {
  const all = [...old.toSorted((a, b) => byCreation(b, a)), ...(fresh === undefined ? [] : [fresh])];
  const active = all.filter(isActive);
  if (active.length > 1) return undefined;
  return active[0] ?? fresh ?? all[0];
}

/** Both believe that it can have all replicas, and all of them are available. */
function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const wanted = replicasOf(deployment);
  const desired = set.metadata.annotations?.[annotationNames.desiredReplicas];
  return replicasOf(set) === wanted && desired === String(wanted) && (set.status?.availableReplicas ?? 0) === wanted;
}

function proportionally(deployment: Deployment, active: readonly ReplicaSet[]): Scaling[] {
  const wanted = replicasOf(deployment);
  const allowed = wanted > 0 ? wanted + rolloutLimits(deployment).surge : 0;
  const toAdd = allowed - sumOf(active, replicasOf);
  const sets = active.toSorted(toAdd > 0 ? bySizeNewer : bySizeOlder);
  let added = 0;
  const sizes = sets.map((set) => {
    const share = shareOf(deployment, set, { toAdd, added });
    added += share;
    return { set, replicas: replicasOf(set) + share };
  });
  // What rounding leaves over goes to the largest.
  return sizes.map((size, index) =>
    index === 0 ? { ...size, replicas: Math.max(0, size.replicas + toAdd - added) } : size,
  );
}

function shareOf(deployment: Deployment, set: ReplicaSet, { toAdd, added }: { toAdd: number; added: number }): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const left = toAdd - added;
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const most = replicasOf(deployment) + rolloutLimits(deployment).surge;
  const known = Number(set.metadata.annotations?.[annotationNames.maxReplicas] ?? 0);
  const before = Number.isInteger(known) && known > 0 ? known : (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((size * most) / before) - size;
}
