import type { CSIDriver, CSINode, Node } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { desiredCheckConditions } from "./check-conditions.ts";
import { type CheckResult, gravest, outcomeOf, passed } from "./check-result.ts";
import { checkExistingDriver, checkMachine, checkVCenterVersion, machineUuidOf } from "./environment-checks.ts";
import { isAtLeast } from "./version-number.ts";

const name = "csi.vsphere.vmware.com";
const csiDriver = (annotations: Record<string, string>): CSIDriver => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name, annotations },
  spec: {},
});
const csiNode = (...drivers: string[]): CSINode => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSINode",
  metadata: { name: "node-1" },
  spec: { drivers: drivers.map((driver) => ({ name: driver, nodeID: "x" })) },
});
const said = ({ action, status }: CheckResult) => `${action} ${status}`;

describe("a driver that is there already", () => {
  it.each([
    ["none at all", undefined, [csiNode("other")], "Pass pass"],
    ["ours", csiDriver({ "csi.openshift.io/managed": "true" }), [csiNode(name)], "Pass pass"],
    ["somebody else's", csiDriver({}), [], "BlockUpgradeDriverInstall existing_driver_found"],
    ["one on a node alone", undefined, [csiNode(name)], "BlockUpgradeDriverInstall existing_driver_found"],
  ])("%s", (_, found, nodes, expected) => {
    expect(said(checkExistingDriver(found, nodes, name))).toBe(expected);
  });
});

describe("the version of vCenter", () => {
  it.each([
    ["8.0.2.0", "Pass pass"],
    ["7.0.2", "Pass pass"],
    ["7.0.1.1", "BlockUpgrade check_deprecated_vcenter"],
    ["6.7.3", "BlockUpgrade check_deprecated_vcenter"],
    ["6.7.2", "BlockUpgradeOrDegrade check_deprecated_vcenter"],
    ["6.5", "BlockUpgradeOrDegrade check_deprecated_vcenter"],
    ["unknown", "BlockUpgradeOrDegrade vcenter_api_error"],
  ])("%s: %s", (version, expected) => {
    expect(said(checkVCenterVersion(version))).toBe(expected);
  });
});

describe("a node's machine", () => {
  const machine = (hardwareVersion: string, version: string) => ({ hardwareVersion, host: { id: "host-1", version } });

  it.each([
    ["is well", machine("vmx-15", "8.0.0"), undefined, "Pass pass"],
    ["is not found", undefined, undefined, "BlockUpgradeOrDegrade vcenter_api_error"],
    ["has old hardware", machine("vmx-13", "8.0.0"), undefined, "BlockUpgradeOrDegrade check_deprecated_hw_version"],
    ["has hardware that nobody knows", machine("x", "8.0.0"), undefined, "BlockUpgradeOrDegrade vcenter_api_error"],
    [
      "is on a host that is too old",
      machine("vmx-15", "6.7.0"),
      undefined,
      "BlockUpgradeOrDegrade check_deprecated_esxi_version",
    ],
    [
      "is on a host to be upgraded",
      machine("vmx-15", "7.0.1"),
      undefined,
      "BlockUpgrade check_deprecated_esxi_version",
    ],
    ["takes no more volumes than usual", machine("vmx-15", "7.0.3"), 59, "Pass pass"],
    ["cannot take so many volumes", machine("vmx-15", "7.0.3"), 60, "Degrade block_volume_limit_error"],
    ["takes many volumes", machine("vmx-15", "8.0.0"), 255, "Pass pass"],
  ])("%s", (_, found, maxVolumes, expected) => {
    expect(said(checkMachine({ nodeName: "node-1", machine: found, maxVolumes }))).toBe(expected);
  });

  const node = (providerID: string, labels: Record<string, string> = {}): Node => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-1", labels },
    spec: { providerID },
  });
  const labelled = { "node.openshift.io/platform-type": "vsphere" };

  it.each([
    [node("vsphere://42AB "), false, "42ab"],
    [node("aws:///x"), false, undefined],
    [node("vsphere://42"), true, undefined],
    [node("vsphere://42", labelled), true, "42"],
  ])("is told by its node (%#)", (found, isMixed, uuid) => {
    expect(machineUuidOf(found, isMixed)).toBe(uuid);
  });
});

describe("what checks come to", () => {
  const result = (action: CheckResult["action"], status: CheckResult["status"] = "vcenter_api_error"): CheckResult => ({
    action,
    status,
    message: "why",
  });

  it("is what the gravest of them says", () => {
    expect(gravest([])).toBe(passed);
    expect(gravest([result("BlockUpgrade"), result("Degrade"), passed]).action).toBe("Degrade");
    expect(gravest([result("BlockUpgradeOrDegrade"), result("BlockUpgradeDriverInstall")]).action).toBe(
      "BlockUpgradeOrDegrade",
    );
  });

  const degraded = "VMwareVSphereOperatorCheckDegraded=True/vcenter_api_error";
  const well = "VMwareVSphereOperatorCheckDegraded=False/";
  const upgradeable = (status: string) => `VMwareVSphereControllerUpgradeable=${status}`;
  const disabled = "VMwareVSphereControllerDisabled=True/vcenter_api_error";
  const failed = "vsphere_connection_failed";

  it.each([
    ["Pass", false, passed, [well, upgradeable("True/")]],
    ["BlockUpgrade", false, result("BlockUpgrade"), [well, upgradeable("False/vcenter_api_error")]],
    [
      "BlockUpgradeDriverInstall",
      false,
      result("BlockUpgradeDriverInstall"),
      [well, upgradeable("False/vcenter_api_error"), disabled],
    ],
    [
      "BlockUpgradeDriverInstall",
      true,
      result("BlockUpgradeDriverInstall"),
      [well, upgradeable("False/vcenter_api_error")],
    ],
    ["BlockUpgradeOrDegrade", false, result("BlockUpgradeOrDegrade"), [well, upgradeable("False/vcenter_api_error")]],
    [
      "BlockUpgradeOrDegrade",
      true,
      result("BlockUpgradeOrDegrade"),
      [degraded, upgradeable("False/vcenter_api_error")],
    ],
    [
      "no connection",
      false,
      result("BlockUpgradeOrDegrade", failed),
      [well, upgradeable(`Unknown/${failed}`), `VMwareVSphereControllerDisabled=True/${failed}`],
    ],
    ["Degrade", false, result("Degrade"), [degraded, upgradeable("False/vcenter_api_error"), disabled]],
    ["Degrade", true, result("Degrade"), [degraded, upgradeable("False/vcenter_api_error")]],
  ])("%s, installed: %s", (_, isInstalled, found, expected) => {
    const conditions = desiredCheckConditions(found, outcomeOf(found, isInstalled), isInstalled);
    expect(conditions.map(({ type, status, reason = "" }) => `${type}=${status}/${reason}`)).toEqual(expected);
  });
});

describe("versions", () => {
  it.each([
    ["7.0.2", "7.0.2", true],
    ["7.0.10", "7.0.2", true],
    ["8.0", "7.0.2", true],
    ["7.0.2.9", "7.0.3", false],
    ["", "7.0.2", undefined],
    ["seven", "7.0.2", undefined],
  ])("%s is at least %s: %s", (version, minimum, expected) => {
    expect(isAtLeast(version, minimum)).toBe(expected);
  });
});
