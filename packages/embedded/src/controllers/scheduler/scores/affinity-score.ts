import type { Pod } from "@stowage/machinery";
import { placeOf } from "../filters/affinity-filter.ts";
import { type NamespaceLabels, preferredTerms, requiredNear, type WeightedTerm } from "../filters/affinity-terms.ts";
import { HIGHEST, type Score } from "./score.ts";

/** Whoever must be near to Pods such as this one likes it to be near, too. */
const REQUIRED_WEIGHT = 1;

/** The more of those that it wants to be near to, or that want it, the better. */
export const podAffinityScore: Score = {
  name: "InterPodAffinity",
  weight: 2,
  rate(pod, nodes, { nodes: all, labelsOfNamespace }) {
    const own = preferredTerms(pod, labelsOfNamespace);
    const sums = new Map<string, number>();
    for (const state of all) {
      for (const other of state.pods) {
        for (const term of termsBetween(pod, own, other, labelsOfNamespace)) {
          const place = placeOf(state, term);
          if (place !== undefined) sums.set(place, (sums.get(place) ?? 0) + term.weight);
        }
      }
    }
    if (sums.size === 0) return undefined;
    return spreadOut(
      nodes.map(({ labels }) =>
        Object.entries(labels).reduce((sum, [key, value]) => sum + (sums.get(`${key}=${value}`) ?? 0), 0),
      ),
    );
  },
};

function termsBetween(pod: Pod, own: readonly WeightedTerm[], other: Pod, labelsOf: NamespaceLabels): WeightedTerm[] {
  const hard = requiredNear(other, labelsOf).map((term) => ({ ...term, weight: REQUIRED_WEIGHT }));
  const theirs = other.spec?.affinity === undefined ? [] : [...hard, ...preferredTerms(other, labelsOf)];
  return [...own.filter((term) => term.isMeant(other)), ...theirs.filter((term) => term.isMeant(pod))];
}

/** The least becomes nothing, the most `HIGHEST`. */
function spreadOut(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (most === least ? 0 : Math.trunc((HIGHEST * (value - least)) / (most - least))));
}
