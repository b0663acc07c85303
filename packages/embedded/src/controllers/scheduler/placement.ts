import type { Pod } from "@stowage/machinery";
import { allFilters, type PreparedFilter, type Refusal } from "./filters/index.ts";
import { bestNode } from "./scores/index.ts";
import { type NodeState, withPods } from "./snapshot/node-state.ts";
import { type Snapshot, withNode } from "./snapshot/snapshot.ts";
import type { Unfit } from "./unfit.ts";

/** What a choice hangs on. */
export interface World {
  readonly snapshot: Snapshot;
  /** Pods that were promised room on a node, which those that are to leave for them may not have left yet. */
  nominatedOn(nodeName: string): readonly Pod[];
}

export type Placement = { readonly node: NodeState } | { readonly unfit: Unfit };

/** The node for the Pod, or why there is none. */
export function placement(pod: Pod, world: World): Placement {
  const { nodes } = world.snapshot;
  const filters = prepared(pod, world.snapshot);
  const refusal = filters.find((filter) => filter.refusal !== undefined)?.refusal;
  if (refusal !== undefined) return { unfit: { nodeCount: nodes.length, refusal, refusals: new Map() } };
  const promised = nodes.find(({ name }) => name === pod.status?.nominatedNodeName);
  if (promised !== undefined && refusalOn(promised, pod, world, filters) === undefined) return { node: promised };
  const only = filters.find((filter) => filter.onlyNodes !== undefined)?.onlyNodes;
  const asked = nodes.filter(({ name }) => only?.has(name) ?? true);
  const answers = asked.map((state) => [state, refusalOn(state, pod, world, filters)] as const);
  const fitting = answers.filter(([, found]) => found === undefined).map(([state]) => state);
  const best = bestNode(pod, fitting, world.snapshot);
  if (best !== undefined) return { node: best };
  const refusals = new Map(answers.flatMap(([{ name }, found]) => (found === undefined ? [] : [[name, found]])));
  const others = only === undefined ? {} : { others: "node(s) didn't satisfy plugin(s) [NodeAffinity]" };
  return { unfit: { nodeCount: nodes.length, refusals, ...others } };
}

/**
 * Why the Pod cannot go to the node. It has to fit with those that were promised room there and matter as much, and also without them,
 * since they may never come.
 */
export function refusalOn(
  state: NodeState,
  pod: Pod,
  { snapshot, nominatedOn }: World,
  filters: readonly PreparedFilter[] = prepared(pod, snapshot),
): Refusal | undefined {
  const before = nominatedOn(state.name).filter(
    (other) => other.metadata.uid !== pod.metadata.uid && priorityOf(other) >= priorityOf(pod),
  );
  if (before.length > 0) {
    const fuller = withPods(state, before);
    const refusal = firstRefusal(fuller, prepared(pod, withNode(snapshot, fuller)));
    if (refusal !== undefined) return refusal;
  }
  return firstRefusal(state, filters);
}

function prepared(pod: Pod, snapshot: Snapshot): PreparedFilter[] {
  return allFilters.flatMap((filter) => filter.prepare(pod, snapshot) ?? []);
}

function firstRefusal(state: NodeState, filters: readonly PreparedFilter[]): Refusal | undefined {
  for (const filter of filters) {
    const refusal = filter.refusal ?? filter.check?.(state);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function priorityOf({ spec }: Pod): number {
  return spec?.priority ?? 0;
}
