import type { ObjectMeta } from "../api/index.ts";
import type { PlatformSpec } from "./platform-spec.ts";
import type { PlatformStatus, PlatformType } from "./platform-status.ts";

/** What the cluster runs on. There is one, named `cluster`. */
export interface Infrastructure {
  apiVersion: "config.openshift.io/v1";
  kind: "Infrastructure";
  metadata: ObjectMeta;
  spec: InfrastructureSpec;
  status?: InfrastructureStatus;
}

export interface InfrastructureSpec {
  /** The cloud's own configuration, a ConfigMap in `openshift-config`. */
  cloudConfig?: ConfigMapFileReference;
  platformSpec?: PlatformSpec;
}

export interface ConfigMapFileReference {
  name?: string;
  key?: string;
}

/** `External`: the control plane is not in this cluster (HyperShift). */
export type TopologyMode = (typeof topologyModes)[number];

export const topologyModes = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
] as const;

export const infrastructureTopologies = ["HighlyAvailable", "SingleReplica"] as const;

export const cpuPartitioningModes = ["None", "AllNodes"] as const;

export interface InfrastructureStatus {
  /** Names what belongs to this cluster in the cloud; drivers put it on their volumes. */
  infrastructureName?: string;
  /** Deprecated: see `platformStatus.type`. */
  platform?: PlatformType;
  platformStatus?: PlatformStatus;
  etcdDiscoveryDomain?: string;
  apiServerURL?: string;
  apiServerInternalURI?: string;
  controlPlaneTopology?: TopologyMode;
  infrastructureTopology?: (typeof infrastructureTopologies)[number];
  cpuPartitioning?: (typeof cpuPartitioningModes)[number];
}
