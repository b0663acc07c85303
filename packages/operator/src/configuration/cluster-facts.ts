import type {
  Infrastructure,
  Node,
  PlatformSpec,
  PlatformStatus,
  PlatformType,
  TopologyMode,
} from "@stowage/machinery";
import { platformOfInfrastructure, platformOfNodes } from "./platform.ts";

/** What operators need to know of the cluster that they are in. */
export interface ClusterFacts {
  /** `None`: nothing that a driver could be chosen by. */
  readonly platform: PlatformType;
  /** Of the platform `External`: whose it is, in small letters, as far as somebody has said. */
  readonly externalPlatform: string | undefined;
  /** Somebody has said that volumes are to be made on the nodes' own disks. Never guessed. */
  readonly isLocal: boolean;
  /** Names what belongs to this cluster in the cloud; for `${CLUSTER_ID}`. */
  readonly clusterId: string;
  readonly controlPlaneTopology: TopologyMode;
  /** HyperShift looks after it: its control plane is in another cluster. */
  readonly isHosted: boolean;
  /** Whether any node has the role; without one nothing may be told to run there. */
  readonly hasControlPlaneNodes: boolean;
  /** By which labels such nodes can be selected: not every cluster has `master` beside `control-plane`. */
  readonly controlPlaneRoles: readonly string[];
  /** Regions, tags, endpoints, as the platform has them. */
  readonly platformStatus: PlatformStatus;
  /** What its administrator has said of the platform: failure domains. */
  readonly platformSpec: Partial<PlatformSpec>;
  /** Of the cloud's configuration in `openshift-config`, where the cluster has one. */
  readonly cloudConfig: { readonly name?: string; readonly key?: string } | undefined;
}

export interface ClusterFactsInput {
  /** Undefined where the cluster has none. */
  readonly infrastructure: Infrastructure | undefined;
  readonly nodes: readonly Pick<Node, "metadata" | "spec">[];
  /** Where no infrastructure names the cluster: the uid of the namespace `kube-system`, which stays for the cluster's life. */
  readonly clusterUid: string;
}

const LOCAL = "local";
/** On the Infrastructure, by HyperShift. */
const hostedLabel = "hypershift.openshift.io/managed";

export function clusterFactsOf({ infrastructure, nodes, clusterUid }: ClusterFactsInput): ClusterFacts {
  const said = infrastructure === undefined ? "" : platformOfInfrastructure(infrastructure);
  const platform = said === "" ? platformOfNodes(nodes) : said;
  const externalPlatform = platform === "External" ? externalPlatformOf(infrastructure) : undefined;
  const controlPlaneNodes = nodes.filter(isControlPlaneNode).length;
  return {
    platform,
    externalPlatform,
    isLocal: externalPlatform === LOCAL,
    clusterId: infrastructure?.status?.infrastructureName || clusterUid,
    controlPlaneTopology:
      infrastructure?.status?.controlPlaneTopology ??
      topologyOf(controlPlaneNodes === 0 ? nodes.length : controlPlaneNodes),
    isHosted: infrastructure?.metadata.labels?.[hostedLabel] === "true",
    hasControlPlaneNodes: controlPlaneNodes > 0,
    controlPlaneRoles: controlPlaneRoles.filter((role) => nodes.some((node) => hasRole(node, role))),
    platformStatus: infrastructure?.status?.platformStatus ?? {},
    platformSpec: infrastructure?.spec.platformSpec ?? {},
    cloudConfig: infrastructure?.spec.cloudConfig,
  };
}

function externalPlatformOf(infrastructure: Infrastructure | undefined): string | undefined {
  const name = infrastructure?.spec.platformSpec?.external?.platformName?.toLowerCase();
  return name === undefined || name === "unknown" ? undefined : name;
}

/**
 * Of the nodes that controllers may run on: the control plane's, or all where it is hidden from us. `External` is never guessed: it
 * says that controllers run in another cluster.
 */
function topologyOf(nodeCount: number): TopologyMode {
  return nodeCount > 1 ? "HighlyAvailable" : "SingleReplica";
}

export const controlPlaneRoles = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

export function isControlPlaneNode(node: Pick<Node, "metadata">): boolean {
  return controlPlaneRoles.some((role) => hasRole(node, role));
}

function hasRole({ metadata }: Pick<Node, "metadata">, role: string): boolean {
  return metadata.labels?.[role] !== undefined;
}
