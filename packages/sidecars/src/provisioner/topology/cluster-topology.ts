import type { CSINode, Labels, MetadataOnly, Node } from "@stowage/machinery";
import { csiNodeCache, nodeCache } from "../../caches/index.ts";
import type { SidecarDeps } from "../../sidecar.ts";

/** A node on which the driver is registered. */
export interface DriverNode {
  readonly name: string;
  /** The labels by which the driver tells places apart; none when it has storage everywhere. */
  readonly keys: readonly string[];
}

/** Which nodes there are, and what the driver says of them. */
export interface ClusterTopology {
  /** Undefined when the node has no CSINode; without keys when the driver is not registered there. */
  driverNode(name: string): DriverNode | undefined;
  /** Where the driver is registered. */
  driverNodes(): readonly DriverNode[];
  /** Undefined when there is no such Node. */
  labelsOf(nodeName: string): Labels | undefined;
  /** Of all Nodes. */
  labels(): Iterable<Labels>;
}

export function supportsTopology({ plugin }: Pick<SidecarDeps["driver"], "plugin">): boolean {
  return plugin.has("VOLUME_ACCESSIBILITY_CONSTRAINTS");
}

/** As Nodes and CSINodes of the API say. */
export function watchedTopology({ informers, driver }: Pick<SidecarDeps, "informers" | "driver">): ClusterTopology {
  const csiNodes = csiNodeCache(informers).objects;
  const nodes = nodeCache(informers).objects;
  const registered = (csiNode: CSINode) => driverNodeOf(csiNode, driver.name);
  return {
    driverNode(name) {
      const csiNode = csiNodes.get({ name });
      return csiNode && (registered(csiNode) ?? { name, keys: [] });
    },
    driverNodes: () =>
      csiNodes
        .list()
        .map(registered)
        .filter((node) => node !== undefined),
    labelsOf: (name) => labelsIn(nodes.get({ name })),
    *labels() {
      for (const node of nodes.list()) yield node.metadata.labels ?? {};
    },
  };
}

/** Undefined when the driver is not registered there. */
export function driverNodeOf({ metadata, spec }: CSINode, driverName: string): DriverNode | undefined {
  const driver = (spec.drivers ?? []).find(({ name }) => name === driverName);
  return driver && { name: metadata.name ?? "", keys: driver.topologyKeys ?? [] };
}

function labelsIn(node: MetadataOnly<Node> | undefined): Labels | undefined {
  return node && (node.metadata.labels ?? {});
}
