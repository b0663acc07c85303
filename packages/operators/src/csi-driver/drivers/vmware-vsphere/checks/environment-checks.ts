import type { CSIDriver, CSINode, Node } from "@stowage/machinery";
import { isManagedDriver } from "@stowage/operator";
import { USUAL_VOLUMES_PER_NODE } from "../driver-settings.ts";
import type { VirtualMachine } from "../vcenter/vcenter.ts";
import { type CheckResult, type CheckStatus, passed } from "./check-result.ts";
import { isAtLeast } from "./version-number.ts";

const MINIMUM_VERSION = "6.7.3";
const MINIMUM_VERSION_FOR_UPGRADE = "7.0.2";
const MINIMUM_HARDWARE = 15;
/** Of the host, for more volumes than usual. */
const MINIMUM_VERSION_FOR_MORE_VOLUMES = "8.0.0";

function tooOld(status: CheckStatus, message: string): CheckResult {
  return { action: "BlockUpgradeOrDegrade", status, message };
}

/** Somebody else's driver of this name: installed by hand, before there was this one. */
export function checkExistingDriver(
  csiDriver: CSIDriver | undefined,
  csiNodes: readonly CSINode[],
  name: string,
): CheckResult {
  const found = (where: string): CheckResult => ({
    action: "BlockUpgradeDriverInstall",
    status: "existing_driver_found",
    message: `found existing unsupported ${name} driver${where}`,
  });
  if (csiDriver !== undefined) return isManagedDriver(csiDriver) ? passed : found("");
  const node = csiNodes.find(({ spec }) => (spec.drivers ?? []).some((driver) => driver.name === name));
  return node === undefined ? passed : found(` on node ${node.metadata.name}`);
}

export function checkVCenterVersion(version: string): CheckResult {
  const hasMinimum = isAtLeast(version, MINIMUM_VERSION);
  if (hasMinimum === undefined)
    return tooOld("vcenter_api_error", `vCenter says that its version is ${JSON.stringify(version)}`);
  const old = `found older vcenter version ${version}, minimum required version`;
  if (!hasMinimum) return tooOld("check_deprecated_vcenter", `${old} is ${MINIMUM_VERSION}`);
  if (isAtLeast(version, MINIMUM_VERSION_FOR_UPGRADE)) return passed;
  const message = `${old} for upgrade is ${MINIMUM_VERSION_FOR_UPGRADE}`;
  return { action: "BlockUpgrade", status: "check_deprecated_vcenter", message };
}

const PROVIDER_PREFIX = "vsphere://";
const platformLabel = "node.openshift.io/platform-type";

/** The machine's UUID; undefined when the node is none of vSphere's. In a mixed environment a label says which are. */
export function machineUuidOf({ metadata, spec }: Node, isMixed: boolean): string | undefined {
  const provider = spec?.providerID ?? "";
  const isOfVsphere = isMixed ? metadata.labels?.[platformLabel] === "vsphere" : provider.startsWith(PROVIDER_PREFIX);
  return isOfVsphere ? provider.slice(PROVIDER_PREFIX.length).trim().toLowerCase() : undefined;
}

export function foreignNode(node: Node): CheckResult {
  const message = `node ${node.metadata.name} is not a vSphere node`;
  return { action: "Degrade", status: "non_vsphere_node", message };
}

export interface MachineCheck {
  readonly nodeName: string;
  readonly machine: VirtualMachine | undefined;
  /** Undefined while the feature is off. */
  readonly maxVolumes: number | undefined;
}

export function checkMachine({ nodeName, machine, maxVolumes = USUAL_VOLUMES_PER_NODE }: MachineCheck): CheckResult {
  if (machine === undefined)
    return tooOld("vcenter_api_error", `unable to find the virtual machine of node ${nodeName}`);
  const { hardwareVersion, host } = machine;
  const hardware = Number(/^vmx-(\d+)$/u.exec(hardwareVersion)?.[1]);
  if (Number.isNaN(hardware)) {
    return tooOld("vcenter_api_error", `node ${nodeName} has the hardware version ${JSON.stringify(hardwareVersion)}`);
  }
  if (hardware < MINIMUM_HARDWARE) {
    const below = `which is below the minimum required version ${MINIMUM_HARDWARE}`;
    return tooOld("check_deprecated_hw_version", `node ${nodeName} has hardware version ${hardwareVersion}, ${below}`);
  }
  return checkHost(host, maxVolumes);
}

function checkHost({ id, version }: VirtualMachine["host"], maxVolumes: number): CheckResult {
  const below = (minimum: string) =>
    `host ${id} is on ESXI version ${version}, which is below minimum required version ${minimum}`;
  if (!isAtLeast(version, MINIMUM_VERSION)) return tooOld("check_deprecated_esxi_version", below(MINIMUM_VERSION));
  if (!isAtLeast(version, MINIMUM_VERSION_FOR_UPGRADE)) {
    const message = `${below(MINIMUM_VERSION_FOR_UPGRADE)} for cluster upgrade`;
    return { action: "BlockUpgrade", status: "check_deprecated_esxi_version", message };
  }
  if (maxVolumes > USUAL_VOLUMES_PER_NODE && !isAtLeast(version, MINIMUM_VERSION_FOR_MORE_VOLUMES)) {
    const message = `${below(MINIMUM_VERSION_FOR_MORE_VOLUMES)} for maxAllowedBlockVolumesPerNode set in ClusterCSIDriver`;
    return { action: "Degrade", status: "block_volume_limit_error", message };
  }
  return passed;
}
