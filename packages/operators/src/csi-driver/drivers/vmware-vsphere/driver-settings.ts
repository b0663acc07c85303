import type { ClusterCSIDriver, PlatformSpec, VSphereCSIDriverConfig } from "@stowage/machinery";

/** As OpenShift's installer tags zones and regions. */
const INFRASTRUCTURE_CATEGORIES = ["openshift-zone", "openshift-region"] as const;

/** What vSphere 7 can do. */
export const USUAL_VOLUMES_PER_NODE = 59;

/** The gate of `maxAllowedBlockVolumesPerNode`. */
export const maxVolumesGate = "VSphereConfigurableMaxAllowedBlockVolumesPerNode";

/** Of a ClusterCSIDriver: what another driver is configured by counts as nothing. */
function configOf({ spec }: Pick<ClusterCSIDriver, "spec">): VSphereCSIDriverConfig {
  const { driverType, vSphere } = spec.driverConfig ?? { driverType: "" };
  return driverType === "vSphere" ? (vSphere ?? {}) : {};
}

/** Where volumes are to follow zones: by what tags these are told. The Infrastructure's go first; none where there is one zone. */
export function topologyCategories(
  driver: Pick<ClusterCSIDriver, "spec">,
  { vsphere }: Pick<PlatformSpec, "vsphere">,
): readonly string[] {
  const { infrastructure, clustercsidriver } = saidCategories(driver, { vsphere });
  return infrastructure.length > 0 ? infrastructure : clustercsidriver;
}

/** What each of the two places says, by the name that alerts have for it. Where both say something, one is in vain. */
export function saidCategories(driver: Pick<ClusterCSIDriver, "spec">, { vsphere }: Pick<PlatformSpec, "vsphere">) {
  return {
    infrastructure: (vsphere?.failureDomains?.length ?? 0) > 1 ? INFRASTRUCTURE_CATEGORIES : [],
    clustercsidriver: configOf(driver).topologyCategories ?? [],
  };
}

/** By the names that the driver's configuration has for them. */
export function snapshotLimits(driver: Pick<ClusterCSIDriver, "spec">): [string, string][] {
  const config = configOf(driver);
  const limits: readonly (readonly [string, number | undefined])[] = [
    ["global-max-snapshots-per-block-volume", config.globalMaxSnapshotsPerBlockVolume],
    ["granular-max-snapshots-per-block-volume-vsan", config.granularMaxSnapshotsPerBlockVolumeInVSAN],
    ["granular-max-snapshots-per-block-volume-vvol", config.granularMaxSnapshotsPerBlockVolumeInVVOL],
  ];
  return limits.flatMap(([name, limit]): [string, string][] => (limit === undefined ? [] : [[name, String(limit)]]));
}

export function maxVolumesPerNode(driver: Pick<ClusterCSIDriver, "spec">): number {
  return configOf(driver).maxAllowedBlockVolumesPerNode || USUAL_VOLUMES_PER_NODE;
}
