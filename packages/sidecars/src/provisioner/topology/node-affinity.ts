import type { Topology } from "@stowage/csi";
import { matchAllLabels, type NodeSelectorTerm, type VolumeNodeAffinity } from "@stowage/machinery";
import { type Segments, termOf } from "./topology-term.ts";

type Place = Pick<Topology, "segments">;

/** For the PV, from where the driver said that the volume can be reached. Undefined when that is everywhere. */
export function desiredNodeAffinity(accessibleTopology: readonly Place[]): VolumeNodeAffinity | undefined {
  // A place without labels would be a term that no node matches, and the API server refuses a list without terms.
  const places = accessibleTopology.map(({ segments }) => termOf(segments)).filter((term) => term.length > 0);
  if (places.length === 0) return undefined;
  const nodeSelectorTerms = places.map((term) => ({
    matchExpressions: term.map(([key, value]) => ({ key, operator: "In" as const, values: [value] })),
  }));
  return { required: { nodeSelectorTerms } };
}

/** Whether a volume with this affinity can be reached where a node has these labels. Without either it can. */
export function isReachableFrom(affinity: VolumeNodeAffinity | undefined, labels: Segments | undefined): boolean {
  const terms = affinity?.required?.nodeSelectorTerms;
  if (terms === undefined || labels === undefined) return true;
  return terms.some((term) => isMatched(term, labels));
}

const operators = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "!", Gt: "gt", Lt: "lt" } as const;

// Fields are the node's name alone. No driver tells it, so a term with fields was not made from what a driver said.
function isMatched({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, labels: Segments): boolean {
  if (matchFields.length > 0 || matchExpressions.length === 0) return false;
  return matchExpressions.every(({ key, operator, values }) =>
    matchAllLabels.and(key, operators[operator], values).matches(labels),
  );
}

/** The other way round: the places that an affinity made by `desiredNodeAffinity` names, as the driver once said them. */
export function placesOf(affinity: VolumeNodeAffinity | undefined): { segments: Record<string, string> }[] {
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  return terms.map(({ matchExpressions = [] }) => ({
    segments: Object.fromEntries(matchExpressions.map(({ key, values }) => [key, values?.[0] ?? ""])),
  }));
}
