/**
 * Where a volume has to be, and where it can be reached. In reading order:
 *
 * - `topology-planner.ts`: what the provisioner asks; `create-topology-planner.ts` answers alike at every try
 * - `desired-requirement.ts`: the answer: which places are allowed (`requisite`) and in which order to try them (`preferred`)
 * - `topology-term.ts`, `allowed-topologies.ts`, `spread-offset.ts`: places, those of a StorageClass, and the turn of StatefulSets
 * - `cluster-topology.ts`: the nodes, and the labels by which the driver tells places apart
 * - `node-affinity.ts`: the same places on a PersistentVolume
 */
export {
  type ClusterTopology,
  driverNodeOf,
  supportsTopology,
  watchedTopology,
} from "./cluster-topology.ts";
export { createTopologyPlanner } from "./create-topology-planner.ts";
export { desiredRequirement, type TopologyOptions, topologyDefaults } from "./desired-requirement.ts";
export { desiredNodeAffinity, isReachableFrom, placesOf } from "./node-affinity.ts";
export { topologyRules } from "./rbac.ts";
export type { TopologyPlanner, TopologyRequirementInit } from "./topology-planner.ts";
export {
  holdsAt,
  type Segments,
  segmentsOf,
  type TopologyTerm,
  termFromLabels,
  termKey,
  termOf,
} from "./topology-term.ts";
