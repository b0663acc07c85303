import type { ReplicaSet } from "@stowage/machinery";
import { revisionOf } from "./revisions.ts";
import { replicasOf } from "./rollout-amounts.ts";

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** The oldest first. */
export const byCreation: Order = (a, b) => {
  const [aTime = "", bTime = ""] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (aTime !== bTime) return aTime < bTime ? -1 : 1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
};

/** The largest first, and of one size the newest. */
export const bySizeNewer: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** The largest first, and of one size the oldest. */
export const bySizeOlder: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(a, b);

export const byRevision: Order = (a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b);
