import type { Pod } from "@stowage/machinery";
import type { NodeState } from "../snapshot/node-state.ts";
import { type AffinityTerm, type NamespaceLabels, requiredApart, requiredNear } from "./affinity-terms.ts";
import type { Filter, Refusal } from "./filter.ts";

const name = "InterPodAffinity";

/** Values of labels of nodes, by the label: `zone=a`. */
type Places = ReadonlySet<string>;

/** Where the Pod must be near others, where it must not be, and where others do not want it. */
export const interPodAffinity: Filter = {
  name,
  prepare(pod, { nodes, labelsOfNamespace }) {
    const near = requiredNear(pod, labelsOfNamespace);
    const apart = requiredApart(pod, labelsOfNamespace);
    const shunned = placesOf(nodes, (other) => shunningTerms(other, pod, labelsOfNamespace));
    if (near.length + apart.length + shunned.size === 0) return undefined;
    const wanted = placesOf(nodes, (other) => (near.every((term) => term.isMeant(other)) ? near : []));
    const avoided = placesOf(nodes, (other) => apart.filter((term) => term.isMeant(other)));
    // The first of those that want to be together has nobody to be near to but itself.
    const isFirst = wanted.size === 0 && near.every((term) => term.isMeant(pod));
    return {
      check(state) {
        if (!isNear(state, near, wanted, isFirst)) return refusal("node(s) didn't match pod affinity rules", true);
        if (apart.some((term) => avoided.has(placeOf(state, term) ?? ""))) {
          return refusal("node(s) didn't match pod anti-affinity rules", false);
        }
        const isShunned = Object.entries(state.labels).some(([key, value]) => shunned.has(`${key}=${value}`));
        return isShunned ? refusal("node(s) didn't satisfy existing pods anti-affinity rules", false) : undefined;
      },
    };
  },
};

function refusal(reason: string, isFinal: boolean): Refusal {
  return { filter: name, reasons: [reason], isFinal };
}

function shunningTerms(other: Pod, pod: Pod, labelsOf: NamespaceLabels): AffinityTerm[] {
  return requiredApart(other, labelsOf).filter((term) => term.isMeant(pod));
}

/** The places of all terms that a Pod is there for. */
function placesOf(nodes: readonly NodeState[], termsFor: (pod: Pod) => readonly AffinityTerm[]): Places {
  const places = new Set<string>();
  for (const state of nodes) {
    for (const term of state.pods.flatMap((pod) => [...termsFor(pod)])) {
      const place = placeOf(state, term);
      if (place !== undefined) places.add(place);
    }
  }
  return places;
}

export function placeOf({ labels }: NodeState, { topologyKey }: AffinityTerm): string | undefined {
  const value = labels[topologyKey];
  return value === undefined ? undefined : `${topologyKey}=${value}`;
}

function isNear(state: NodeState, near: readonly AffinityTerm[], wanted: Places, isFirst: boolean): boolean {
  const places = near.map((term) => placeOf(state, term));
  if (places.includes(undefined)) return false;
  return isFirst || places.every((place) => wanted.has(place ?? ""));
}
