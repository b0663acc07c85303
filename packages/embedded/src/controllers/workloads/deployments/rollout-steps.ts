import { isNotFound } from "@stowage/kube";
import { findCondition, type ReplicaSet, replicaSets, type SyncOutcome } from "@stowage/machinery";
import { isPodFinished, isSameStatus } from "../../kit/index.ts";
import {
  countedStatus,
  hasProgressDeadline,
  isComplete,
  nextProgressCheckMs,
  rolloutStatus,
  withCondition,
} from "./deployment-status.ts";
import { createNewSet, findNewSet, syncNewSet } from "./new-replica-set.ts";
import { oldSetSteps } from "./old-set-steps.ts";
import { scalingPlan } from "./proportions.ts";
import { annotationNames } from "./revisions.ts";
import { type Rollout, scaleSet, writeDeployment } from "./rollout.ts";
import { isActive, newSetReplicas, replicasOf, sumOf } from "./rollout-amounts.ts";
import { byRevision } from "./set-order.ts";

const NO_LIMIT = 2_147_483_647;

/** All but the new one. */
function oldSets({ deployment, sets }: Rollout): ReplicaSet[] {
  const fresh = findNewSet(deployment, sets);
  return sets.filter(({ metadata }) => metadata.uid !== fresh?.metadata.uid);
}

/** Whether the Deployment was scaled since its ReplicaSets were. */
export async function wasScaled(rollout: Rollout): Promise<boolean> {
  const old = oldSets(rollout);
  const fresh = await syncNewSet(rollout, old);
  const wanted = replicasOf(rollout.deployment);
  return [...old, ...(fresh === undefined ? [] : [fresh])].filter(isActive).some(({ metadata }) => {
    const desired = metadata.annotations?.[annotationNames.desiredReplicas] ?? "";
    return /^\d+$/u.test(desired) && Number(desired) !== wanted;
  });
}

/** Scales in proportion, and begins nothing. */
export async function scaleOnly(rollout: Rollout): Promise<void> {
  const old = oldSets(rollout);
  const fresh = await syncNewSet(rollout, old);
  const { steps, isForced } = scalingPlan(rollout.deployment, fresh, old);
  for (const step of steps) await scaleSet(rollout, step, isForced);
  if (rollout.deployment.spec?.paused) await removeOutdated(rollout, old);
  await syncCountedStatus(rollout);
}

export async function syncCountedStatus(rollout: Rollout): Promise<void> {
  const old = oldSets(rollout);
  const fresh = await syncNewSet(rollout, old);
  const status = countedStatus(rollout.deployment, { fresh, old }, rollout.clock.nowMs());
  if (!isSameStatus(rollout.deployment.status, status)) await writeDeployment(rollout, { status });
}

export async function rollOver(rollout: Rollout): Promise<SyncOutcome> {
  const old = oldSets(rollout);
  const fresh = (await syncNewSet(rollout, old)) ?? (await createNewSet(rollout, old));
  const { deployment } = rollout;
  const wanted = replicasOf(deployment);
  const current = replicasOf(fresh);
  const replicas = current > wanted ? wanted : newSetReplicas(deployment, [...old, fresh], current);
  if (current !== wanted && replicas !== current) {
    await scaleSet(rollout, { set: fresh, replicas });
    return await syncRolloutStatus(rollout, fresh, old);
  }
  const steps = oldSetSteps(deployment, old, fresh);
  const latest = new Map<ReplicaSet, ReplicaSet>();
  for (const { set, replicas: fewer } of steps) {
    latest.set(set, await scaleSet(rollout, { set: latest.get(set) ?? set, replicas: fewer }));
  }
  if (steps.length === 0 && isComplete(deployment, deployment.status)) await removeOutdated(rollout, old);
  return await syncRolloutStatus(rollout, fresh, old);
}

/** Nothing new begins before all that is old has ended. */
export async function recreate(rollout: Rollout): Promise<SyncOutcome> {
  const old = oldSets(rollout);
  let fresh = await syncNewSet(rollout, old);
  const active = old.filter(isActive);
  for (const set of active) await scaleSet(rollout, { set, replicas: 0 });
  if (active.length > 0 || areOldPodsRunning(rollout, old)) return await syncRolloutStatus(rollout, fresh, old);
  fresh ??= await createNewSet(rollout, old);
  await scaleSet(rollout, { set: fresh, replicas: replicasOf(rollout.deployment) });
  if (isComplete(rollout.deployment, rollout.deployment.status)) await removeOutdated(rollout, old);
  return await syncRolloutStatus(rollout, fresh, old);
}

function areOldPodsRunning({ podsOf }: Rollout, old: readonly ReplicaSet[]): boolean {
  if (sumOf(old, ({ status }) => status?.replicas) > 0) return true;
  return old.some((set) => podsOf(set).some((pod) => !isPodFinished(pod)));
}

async function syncRolloutStatus(
  rollout: Rollout,
  fresh: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Promise<SyncOutcome> {
  const { deployment, clock } = rollout;
  const status = rolloutStatus(deployment, { fresh, old }, clock.nowMs());
  if (!isSameStatus(deployment.status, status)) {
    await writeDeployment(rollout, { status });
    return undefined;
  }
  const waitMs = nextProgressCheckMs(deployment, status, clock.nowMs());
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
}

/** Keeps as many old ReplicaSets as can be rolled back to. */
async function removeOutdated({ client, deployment }: Rollout, old: readonly ReplicaSet[]): Promise<void> {
  const { revisionHistoryLimit: limit = NO_LIMIT } = deployment.spec ?? {};
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = Math.max(0, kept.length - limit);
  for (const set of kept.toSorted(byRevision).slice(0, surplus)) {
    const { generation = 0, namespace, name = "" } = set.metadata;
    const isSeen = generation <= (set.status?.observedGeneration ?? 0);
    if (replicasOf(set) !== 0 || (set.status?.replicas ?? 0) !== 0 || !isSeen) continue;
    await client.delete(replicaSets, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Time that passes while it is paused is no lack of progress. */
export async function notePause(rollout: Rollout): Promise<void> {
  const { deployment, clock } = rollout;
  const progress = findCondition(deployment.status?.conditions, "Progressing");
  if (!hasProgressDeadline(deployment) || progress?.reason === "ProgressDeadlineExceeded") return;
  const isNoted = progress?.reason === "DeploymentPaused";
  const isPaused = deployment.spec?.paused === true;
  if (isNoted === isPaused) return;
  const said = isPaused
    ? { reason: "DeploymentPaused", message: "Deployment is paused" }
    : { reason: "DeploymentResumed", message: "Deployment is resumed" };
  const unknown = { type: "Progressing", status: "Unknown", ...said };
  const conditions = withCondition(deployment.status?.conditions, unknown, clock.nowMs());
  await writeDeployment(rollout, { status: { ...deployment.status, conditions } });
}
