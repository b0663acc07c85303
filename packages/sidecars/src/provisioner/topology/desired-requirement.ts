import { type PersistentVolumeClaim, StowageError, type TopologySelectorTerm } from "@stowage/machinery";
import { flattenAllowedTopologies } from "./allowed-topologies.ts";
import type { ClusterTopology } from "./cluster-topology.ts";
import { spreadOffset } from "./spread-offset.ts";
import type { TopologyRequirementInit, TopologyWish } from "./topology-planner.ts";
import { distinctTerms, holdsAt, segmentsOf, sortedTerms, type TopologyTerm, termFromLabels } from "./topology-term.ts";

export interface TopologyOptions {
  /** `--strict-topology`: the selected node's place and no other. */
  readonly strictTopology: boolean;
  /** `--immediate-topology`: claims without a node are told all places there are; some drivers know better themselves. */
  readonly immediateTopology: boolean;
}

export const topologyDefaults: TopologyOptions = { strictTopology: false, immediateTopology: true };

/** What CreateVolume is told, from how things are now. Undefined when nothing restricts it. */
export function desiredRequirement(
  wish: TopologyWish,
  cluster: ClusterTopology,
  options: TopologyOptions,
): TopologyRequirementInit | undefined {
  const selected = wish.selectedNode === undefined ? undefined : selectedPlace(wish.selectedNode, cluster);
  const allowed = flattenAllowedTopologies(wish.allowedTopologies ?? []);
  if (selected !== undefined && options.strictTopology) {
    requireAllowed(selected, { allowed, allowedTopologies: wish.allowedTopologies });
    return requirement([selected.term], [selected.term]);
  }
  const requisite = sortedTerms(requisiteTerms(wish, { allowed, selected, cluster, options }));
  // Allowed topologies that allow nothing in particular, or a driver that does not care.
  if (requisite.length === 0) return undefined;
  const start =
    selected === undefined ? spreadOffset(nameOf(wish.claim), requisite.length) : indexOfSelected(selected, requisite);
  return requirement(requisite, [...requisite.slice(start), ...requisite.slice(0, start)]);
}

interface SelectedPlace {
  readonly node: string;
  readonly keys: readonly string[];
  readonly term: TopologyTerm;
}

function selectedPlace(node: string, cluster: ClusterTopology): SelectedPlace {
  const driverNode = cluster.driverNode(node);
  if (driverNode === undefined) {
    throw new StowageError("TOPOLOGY_RESCHEDULE", `the selected node ${node} has no CSINode`);
  }
  const { keys } = driverNode;
  // The driver may be restarting there: it registers again, or the scheduler finds another node.
  if (keys.length === 0) throw unknown(`no topology key found for node ${node}: is the driver registered there?`);
  const labels = cluster.labelsOf(node);
  const term = labels && termFromLabels(labels, keys);
  if (term === undefined) {
    const what = labels === undefined ? `there is no Node ${node}` : `Node ${node} lacks some of them`;
    throw unknown(`the driver tells places apart by the labels ${keys.join(", ")}, but ${what}`);
  }
  return { node, keys, term };
}

function requireAllowed(
  { node, term }: SelectedPlace,
  { allowed, allowedTopologies = [] }: { allowed: TopologyTerm[]; allowedTopologies?: readonly TopologySelectorTerm[] },
): void {
  if (allowedTopologies.length === 0 || allowed.some((place) => holdsAt(place, term))) return;
  throw unknown(`the place of the selected node ${node}, ${textOf(term)}, is not in the class's allowedTopologies`);
}

interface Known {
  readonly allowed: readonly TopologyTerm[];
  readonly selected: SelectedPlace | undefined;
  readonly cluster: ClusterTopology;
  readonly options: TopologyOptions;
}

function requisiteTerms(wish: TopologyWish, { allowed, selected, cluster, options }: Known): readonly TopologyTerm[] {
  if ((wish.allowedTopologies ?? []).length > 0) return allowed;
  if (selected === undefined && !options.immediateTopology) return [];
  const keySets = selected === undefined ? keySetsByUse(cluster) : [selected.keys];
  if (keySets.length === 0) throw unknown("no available topology found: the driver is not registered on any node");
  for (const keys of keySets) {
    // Also of nodes where the driver is not registered yet.
    const terms = distinctTerms(cluster.labels(), keys);
    if (terms.length > 0) return terms;
  }
  throw unknown(`the driver's topology keys ${keySets.flat().join(", ")} were not found on any node`);
}

/** While a driver is updated its nodes may differ in their keys; those that most nodes have go first. */
function keySetsByUse(cluster: ClusterTopology): (readonly string[])[] {
  const uses = new Map<string, { keys: readonly string[]; count: number }>();
  for (const { keys } of cluster.driverNodes()) {
    if (keys.length === 0) continue;
    const id = keys.toSorted().join();
    uses.set(id, { keys, count: (uses.get(id)?.count ?? 0) + 1 });
  }
  return [...uses]
    .toSorted(([a, { count: usesOfA }], [b, { count: usesOfB }]) => usesOfB - usesOfA || (a < b ? -1 : 1))
    .map(([, { keys }]) => keys);
}

function indexOfSelected({ node, term }: SelectedPlace, requisite: readonly TopologyTerm[]): number {
  const index = requisite.findIndex((place) => holdsAt(place, term));
  if (index >= 0) return index;
  throw unknown(
    `the place of the selected node ${node}, ${textOf(term)}, is none of ${requisite.map(textOf).join(" or ")}`,
  );
}

function requirement(requisite: readonly TopologyTerm[], preferred: readonly TopologyTerm[]): TopologyRequirementInit {
  const places = (terms: readonly TopologyTerm[]) => terms.map((term) => ({ segments: segmentsOf(term) }));
  return { requisite: places(requisite), preferred: places(preferred) };
}

function unknown(message: string): StowageError {
  return new StowageError("TOPOLOGY_UNKNOWN", message);
}

function textOf(term: TopologyTerm): string {
  return term.map(([key, value]) => `${key}=${value}`).join(",");
}

function nameOf({ metadata }: PersistentVolumeClaim): string {
  return metadata.name ?? "";
}
