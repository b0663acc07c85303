import type { Pod } from "@stowage/machinery";
import type { NodeState } from "../snapshot/node-state.ts";
import type { Filter, Refusal } from "./filter.ts";
import { countMeant, hasAllKeys, type Spread, spreadsOf } from "./spread-constraints.ts";

const name = "PodTopologySpread";
const reason = "node(s) didn't match pod topology spread constraints";

/** One more here must not make the difference to where there are fewest larger than is allowed. */
export const podTopologySpread: Filter = {
  name,
  prepare(pod, { nodes }) {
    const spreads = spreadsOf(pod, "DoNotSchedule");
    if (spreads.length === 0) return undefined;
    const counted = nodes.filter((state) => hasAllKeys(state, spreads));
    const counts = spreads.map((spread) => countsOf(spread, counted, pod));
    return {
      check(state) {
        for (const [index, spread] of spreads.entries()) {
          const refusal = refusalOf(spread, counts[index] ?? new Map(), state, pod);
          if (refusal !== undefined) return refusal;
        }
        return undefined;
      },
    };
  },
};

/** By the value of the label. */
function countsOf(spread: Spread, nodes: readonly NodeState[], pod: Pod): Map<string, number> {
  const counts = new Map<string, number>();
  for (const state of nodes.filter(({ node }) => spread.isNodeCounted(node))) {
    const value = state.labels[spread.topologyKey] ?? "";
    counts.set(value, (counts.get(value) ?? 0) + countMeant(state, spread, pod.metadata.namespace));
  }
  return counts;
}

function refusalOf(
  spread: Spread,
  counts: ReadonlyMap<string, number>,
  { labels }: NodeState,
  pod: Pod,
): Refusal | undefined {
  const value = labels[spread.topologyKey];
  if (value === undefined) {
    return { filter: name, reasons: [`${reason} (missing required label)`], isFinal: true };
  }
  const fewest = counts.size < spread.minDomains ? 0 : Math.min(...counts.values());
  const here = (counts.get(value) ?? 0) + (spread.isMeant(pod) ? 1 : 0);
  return here - fewest > spread.maxSkew ? { filter: name, reasons: [reason], isFinal: false } : undefined;
}
