import type { MessageInitShape, TopologyRequirementSchema } from "@stowage/csi";
import type { PersistentVolumeClaim, TopologySelectorTerm } from "@stowage/machinery";

export type TopologyRequirementInit = MessageInitShape<typeof TopologyRequirementSchema>;

export interface TopologyWish {
  readonly claim: PersistentVolumeClaim;
  /** Of the StorageClass. */
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
  /** Set when the scheduler has chosen a node, which it does for classes that wait for the first consumer. */
  readonly selectedNode?: string;
}

/** Where a volume has to be reachable, as CreateVolume is told. */
export interface TopologyPlanner {
  /**
   * The same for the same claim as long as it is not forgotten, so that retries of CreateVolume stay alike. Undefined when the
   * driver has no topology, or when nothing restricts it. Throws TOPOLOGY_RESCHEDULE when the selected node cannot be used, so
   * that the scheduler must choose anew; other errors are tried again.
   */
  requirementFor(wish: TopologyWish): TopologyRequirementInit | undefined;
  /** When the claim is provisioned or given up. */
  forget(claimUid: string): void;
}
