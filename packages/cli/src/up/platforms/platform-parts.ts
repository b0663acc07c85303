import type { StandInDriver } from "./stand-in-driver.ts";
import type { InstalledConfigMap, PlatformDescription, PlatformDriver } from "./up-platform.ts";

/** In every value that a cloud would check: whoever finds one is to know what it is. */
export const SIMULATED = "simulated-by-stowage-up";
const configNamespace = "openshift-config";
/** Manila's operator looks for a share service in it. */
export const openstackRegion = "RegionOne";
export const cloudConfig = { name: "cloud-provider-config", key: "config" };

export function driver(name: string, prefix: string, nodeName = `${prefix}-node`): PlatformDriver {
  return { name, operatorName: `${prefix}-operator`, nodeName };
}

export function installed(
  name: string,
  config: string,
  more: Readonly<Record<string, string>> = {},
): InstalledConfigMap {
  return { namespace: configNamespace, name, data: { config, ...more } };
}

export function described(
  platformStatus: PlatformDescription["platformStatus"],
  spec: PlatformDescription["spec"] = {},
): PlatformDescription {
  const { type } = platformStatus;
  return { spec: { platformSpec: { type }, ...spec }, platformStatus };
}

/** `node-3` is the third; ids of clouds have numbers of a fixed length. */
export function numberOf(nodeName: string, digits: number): string {
  return (/\d+$/u.exec(nodeName)?.[0] ?? "0").padStart(digits, "0");
}

/** Every platform's, where somebody makes its ClusterCSIDriver: a server of SMB is nobody's cloud. */
export const smbStandIn: Readonly<Record<string, StandInDriver>> = {
  "csi-driver-smb": { driverName: "smb.csi.k8s.io", abilities: ["expand", "clones"] },
};
