import type { Pod } from "@stowage/machinery";
import { countMeant, hasAllKeys, type Spread, spreadsOf, usualSpreads } from "../filters/spread-constraints.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { HIGHEST, type Score } from "./score.ts";

const HOST = "kubernetes.io/hostname";

/** The fewer of its kind there are where the node is, the better. */
export const spreadScore: Score = {
  name: "PodTopologySpread",
  weight: 2,
  rate(pod, nodes, snapshot) {
    const hasOwn = (pod.spec?.topologySpreadConstraints ?? []).length > 0;
    const isKin = hasOwn ? undefined : snapshot.kinOf(pod);
    const spreads = isKin === undefined ? spreadsOf(pod, "ScheduleAnyway") : usualSpreads(pod, isKin);
    if (spreads.length === 0) return undefined;
    // The usual ones hold also where nodes are in no zone.
    const isRated = (state: NodeState) => !hasOwn || hasAllKeys(state, spreads);
    const rated = nodes.filter(isRated);
    const counted = snapshot.nodes.filter(isRated);
    const counts = spreads.map((spread) => ratedCounts(spread, rated, counted, pod));
    return inverted(nodes.map((state) => (rated.includes(state) ? total(state, pod, spreads, counts) : undefined)));
  },
};

interface Counts {
  readonly byValue: ReadonlyMap<string, number>;
  /** Where there are more values, each one matters more. */
  readonly weight: number;
}

function ratedCounts(spread: Spread, rated: readonly NodeState[], counted: readonly NodeState[], pod: Pod): Counts {
  const { topologyKey } = spread;
  const byValue = new Map(rated.map(({ labels }) => [labels[topologyKey] ?? "", 0]));
  for (const state of counted.filter(({ node }) => spread.isNodeCounted(node))) {
    const value = state.labels[topologyKey] ?? "";
    const known = byValue.get(value);
    if (known !== undefined) byValue.set(value, known + countMeant(state, spread, pod.metadata.namespace));
  }
  const size = topologyKey === HOST ? rated.length : byValue.size;
  return { byValue, weight: Math.log(size + 2) };
}

function total(state: NodeState, pod: Pod, spreads: readonly Spread[], counts: readonly Counts[]): number {
  const parts = spreads.map((spread, index) => {
    if (state.labels[spread.topologyKey] === undefined) return 0;
    const { byValue, weight } = counts[index] ?? { byValue: new Map(), weight: 0 };
    const count =
      spread.topologyKey === HOST
        ? countMeant(state, spread, pod.metadata.namespace)
        : (byValue.get(state.labels[spread.topologyKey] ?? "") ?? 0);
    return count * weight + spread.maxSkew - 1;
  });
  return Math.round(parts.reduce((sum, part) => sum + part, 0));
}

/** Nodes that lack a label get nothing. */
function inverted(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(0, ...known)];
  return values.map((value) => {
    if (value === undefined) return 0;
    return most === 0 ? HIGHEST : Math.trunc((HIGHEST * (most + least - value)) / most);
  });
}
