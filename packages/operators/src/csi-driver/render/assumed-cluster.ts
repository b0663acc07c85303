import type {
  ClusterCSIDriver,
  Infrastructure,
  LogLevel,
  PlatformType,
  TLSProfileType,
  TopologyMode,
} from "@stowage/machinery";
import {
  type ClusterFacts,
  clusterFactsOf,
  controlPlaneRoles,
  driverServingInfoPath,
  observedServingInfo,
} from "@stowage/operator";
import type { DriverProfile, SidecarsMode } from "../driver-profile.ts";

/** A cluster that is not there, as far as it makes a difference to a driver. */
export interface AssumedCluster {
  /** The driver's own when left out. */
  readonly platform?: PlatformType;
  readonly topology: TopologyMode;
  readonly clusterId: string;
  /** Of the driver. */
  readonly logLevel: LogLevel;
  readonly tlsProfile: Exclude<TLSProfileType, "Custom">;
  /** The driver's own choice when left out. */
  readonly sidecars?: SidecarsMode;
}

/** What `stowage render` assumes where nobody says otherwise, and what the committed output is of. */
export const usualCluster = {
  topology: "HighlyAvailable",
  clusterId: "cluster-id",
  logLevel: "Normal",
  tlsProfile: "Intermediate",
} as const satisfies AssumedCluster;

/** With masters, and an Infrastructure that says all there is to say. */
export function assumedFacts(profile: DriverProfile, cluster: AssumedCluster): ClusterFacts {
  const type = cluster.platform ?? profile.platform;
  const infrastructure: Infrastructure = {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: { platformSpec: { type, ...(type === "External" && { external: { platformName: profile.id } }) } },
    status: {
      infrastructureName: cluster.clusterId,
      controlPlaneTopology: cluster.topology,
      platformStatus: { type },
    },
  };
  const labels = Object.fromEntries(controlPlaneRoles.map((role) => [role, ""]));
  return clusterFactsOf({ infrastructure, nodes: [{ metadata: { name: "master-0", labels } }], clusterUid: "" });
}

/** As its operator would find it, after what is observed of the cluster was written into it. */
export function assumedClusterCSIDriver({ driverName }: DriverProfile, cluster: AssumedCluster): ClusterCSIDriver {
  const { logLevel, sidecars, tlsProfile } = cluster;
  const servingInfo = observedServingInfo({
    apiVersion: "config.openshift.io/v1",
    kind: "APIServer",
    metadata: { name: "cluster" },
    spec: { tlsSecurityProfile: { type: tlsProfile } },
  });
  const [group = "", field = ""] = driverServingInfoPath;
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name: driverName },
    spec: {
      managementState: "Managed",
      logLevel,
      observedConfig: { [group]: { [field]: servingInfo } },
      ...(sidecars !== undefined && { unsupportedConfigOverrides: { sidecars } }),
    },
  };
}
