import type { CsiClient } from "@stowage/csi";
import type { ClusterTopology, Segments } from "../topology/index.ts";

/** The node that this runs on, as the driver beside it knows it. */
export interface OwnNode {
  readonly name: string;
  /** Where the node is; undefined when the driver has no topology. */
  readonly segments?: Segments;
}

/** Asks the driver by NodeGetInfo. `name` is the Node's, which the driver need not know. */
export async function readOwnNode(
  csi: Pick<CsiClient, "node">,
  name: string,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<OwnNode> {
  const { accessibleTopology } = await csi.node.nodeGetInfo({}, { timeoutMs });
  return { name, segments: accessibleTopology?.segments };
}

/** A cluster of this one node, so that neither Nodes nor CSINodes need be watched from every node. */
export function ownNodeTopology({ name, segments = {} }: OwnNode): ClusterTopology {
  const node = { name, keys: Object.keys(segments) };
  return {
    driverNode: (wanted) => (wanted === name ? node : undefined),
    driverNodes: () => [node],
    labelsOf: (wanted) => (wanted === name ? segments : undefined),
    labels: () => [segments],
  };
}
