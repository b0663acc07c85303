import type { Deployment, KubernetesObject, ReplicaSet } from "@stowage/machinery";
import { replicasOf, rolloutLimits } from "./rollout-amounts.ts";

export const annotationNames = {
  revision: "deployment.kubernetes.io/revision",
  revisionHistory: "deployment.kubernetes.io/revision-history",
  desiredReplicas: "deployment.kubernetes.io/desired-replicas",
  maxReplicas: "deployment.kubernetes.io/max-replicas",
} as const;

/** The Deployment's own affair: its ReplicaSets get all others. */
const notCopied: ReadonlySet<string> = new Set([
  ...Object.values(annotationNames),
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
]);
const HISTORY_LIMIT = 2000;

type Annotations = Readonly<Record<string, string>>;

/** Zero when it has none, or what it has is no number. */
export function revisionOf({ metadata }: KubernetesObject): number {
  const text = metadata.annotations?.[annotationNames.revision] ?? "";
  return /^\d+$/u.test(text) ? Number(text) : 0;
}

export function latestRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map(revisionOf));
}

/** What every ReplicaSet says of the Deployment's size, by which scaling is told from rolling out. */
export function replicasAnnotations(deployment: Deployment): Annotations {
  const replicas = replicasOf(deployment);
  return {
    [annotationNames.desiredReplicas]: String(replicas),
    [annotationNames.maxReplicas]: String(replicas + rolloutLimits(deployment).surge),
  };
}

/**
 * Of the new ReplicaSet: the Deployment's annotations and its revision. One that had a smaller revision is rolled back to, and keeps it
 * in its history.
 */
export function newSetAnnotations(deployment: Deployment, current: Annotations, revision: number): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name));
  const annotations = { ...current, ...Object.fromEntries(copied) };
  const before = current[annotationNames.revision];
  if (before !== undefined && before !== "" && !/^\d+$/u.test(before)) return annotations;
  if (Number(before ?? 0) >= revision) return annotations;
  const history = before === undefined ? {} : historyWith(current[annotationNames.revisionHistory] ?? "", before);
  return { ...annotations, [annotationNames.revision]: String(revision), ...history };
}

/** The oldest go when it gets too long. */
function historyWith(history: string, revision: string): Annotations {
  const revisions = [...history.split(",").filter((each) => each !== ""), revision];
  while (revisions.length > 1 && revisions.join(",").length > HISTORY_LIMIT) revisions.shift();
  return { [annotationNames.revisionHistory]: revisions.join(",") };
}
