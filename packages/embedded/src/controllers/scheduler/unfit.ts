import type { Refusal } from "./filters/index.ts";

/** Why a Pod could go to no node. */
export interface Unfit {
  readonly nodeCount: number;
  /** No node was looked at: the Pod itself is not ready to go anywhere. */
  readonly refusal?: Refusal;
  /** By the names of nodes. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** Of nodes that were not looked at. */
  readonly others?: string;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).` */
export function unfitMessage({ nodeCount, refusal, refusals, others }: Unfit): string {
  const head = `0/${nodeCount} nodes are available:`;
  if (refusal !== undefined) return `${head} ${refusal.reasons.join(", ")}.`;
  const counts = new Map<string, number>();
  for (const { reasons } of refusals.values()) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const rest = nodeCount - refusals.size;
  if (others !== undefined && rest > 0) counts.set(others, (counts.get(others) ?? 0) + rest);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return parts.length === 0 ? head : `${head} ${parts.join(", ")}.`;
}

/** Which filters have something against it: what might help is judged by them. */
export function filtersOf({ refusal, refusals, others }: Unfit): ReadonlySet<string> {
  const named = [...refusals.values(), ...(refusal === undefined ? [] : [refusal])].map(({ filter }) => filter);
  return new Set(others === undefined ? named : [...named, "NodeAffinity"]);
}
