import type { CSIDriver, Infrastructure, PlatformType } from "@stowage/machinery";
import { clusterFactsOf, managedDriverAnnotation } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { driverOperators } from "./driver-operator-table.ts";
import { startDecision } from "./start-decision.ts";

function factsOn(type: PlatformType, platformName?: string) {
  const infrastructure: Infrastructure = {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: { platformSpec: { type, ...(platformName && { external: { platformName } }) } },
    status: { platformStatus: { type } },
  };
  return clusterFactsOf({ infrastructure, nodes: [], clusterUid: "" });
}

function csiDriver(annotations?: Record<string, string>): CSIDriver {
  return { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: "x", annotations }, spec: {} };
}

const none = { csiDriver: undefined, isInstalled: false };

function started(type: PlatformType, platformName?: string): string[] {
  const input = { ...none, facts: factsOn(type, platformName) };
  return driverOperators.filter((entry) => startDecision(entry, input) === "start").map(({ id }) => id);
}

const entry = driverOperators.find(({ id }) => id === "openstack-cinder");

describe("which drivers are started", () => {
  it.each<[PlatformType, string | undefined, string[]]>([
    ["AWS", undefined, ["aws-ebs"]],
    ["Azure", undefined, ["azure-disk", "azure-file"]],
    ["GCP", undefined, ["gcp-pd"]],
    ["IBMCloud", undefined, ["ibm-vpc-block"]],
    ["PowerVS", undefined, ["powervs-block"]],
    ["OpenStack", undefined, ["openstack-cinder", "openstack-manila"]],
    ["VSphere", undefined, ["vmware-vsphere"]],
    ["External", "local", ["local"]],
    ["External", "Local", ["local"]],
    ["External", "other", []],
    ["External", undefined, []],
    ["None", undefined, []],
    ["BareMetal", undefined, []],
    ["Nutanix", undefined, []],
    ["", undefined, []],
  ])("on %s, named %s: %j", (type, name, ids) => {
    expect(started(type, name)).toEqual(ids);
  });

  it.each([
    ["AWS", "efs.csi.aws.com"],
    ["GCP", "filestore.csi.storage.gke.io"],
  ] as const)(
    "starts an optional one on %s when somebody has made ClusterCSIDriver %s, and nowhere else",
    (type, name) => {
      const optional = driverOperators.find(({ driverName }) => driverName === name);
      const decide = (on: PlatformType, isInstalled: boolean) =>
        optional && startDecision(optional, { facts: factsOn(on), csiDriver: undefined, isInstalled });
      expect(decide(type, false)).toBe("skip");
      expect(decide(type, true)).toBe("start");
      expect(decide("OpenStack", true)).toBe("skip");
    },
  );

  const decisionOf = (id: string, status: Infrastructure["status"], isInstalled: boolean) => {
    const found = driverOperators.find((each) => each.id === id);
    const infrastructure: Infrastructure = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      spec: {},
      status,
    };
    const facts = clusterFactsOf({ infrastructure, nodes: [], clusterUid: "" });
    return found && startDecision(found, { facts, csiDriver: undefined, isInstalled });
  };

  it.each([
    ["azure-file", "AzureStackCloud", false, "skip"],
    ["azure-file", "AzureStackCloud", true, "start"],
    ["azure-file", "AzurePublicCloud", false, "start"],
    ["azure-file", undefined, false, "start"],
    ["azure-disk", "AzureStackCloud", false, "start"],
  ] as const)("of %s on Azure called %s, with a ClusterCSIDriver: %s: %s", (id, cloudName, isInstalled, decision) => {
    expect(decisionOf(id, { platformStatus: { type: "Azure", azure: { cloudName } } }, isInstalled)).toBe(decision);
  });

  it.each([
    ["External", false, "skip"],
    ["External", true, "start"],
    ["HighlyAvailable", false, "start"],
    ["SingleReplica", false, "start"],
  ] as const)("of ibm-vpc-block with topology %s and a ClusterCSIDriver: %s: %s", (topology, isInstalled, decision) => {
    const status = { platformStatus: { type: "IBMCloud" }, controlPlaneTopology: topology } as const;
    expect(decisionOf("ibm-vpc-block", status, isInstalled)).toBe(decision);
  });

  it.each(["Azure", "None", "OpenStack"] as const)("of smb on %s: when somebody has asked for it", (type) => {
    expect(decisionOf("smb", { platformStatus: { type } }, false)).toBe("skip");
    expect(decisionOf("smb", { platformStatus: { type } }, true)).toBe("start");
  });

  it.each<[PlatformType, string[], string[]]>([
    ["AWS", ["aws-ebs"], []],
    ["Azure", ["azure-disk", "azure-file"], []],
    ["OpenStack", ["openstack-cinder", "openstack-manila"], []],
    ["PowerVS", ["powervs-block"], []],
    ["GCP", [], ["gcp-pd"]],
    ["VSphere", [], ["vmware-vsphere"]],
    ["KubeVirt", [], []],
    ["None", [], []],
  ])("beside a hosted control plane on %s: %j, and %j are left alone", (type, ids, leftAlone) => {
    const input = { ...none, facts: factsOn(type), isHosted: true };
    const decided = (decision: string) =>
      driverOperators.filter((each) => startDecision(each, input) === decision).map(({ id }) => id);
    expect(decided("start")).toEqual(ids);
    expect(decided("not-hosted")).toEqual(leftAlone);
  });

  it("leaves an optional one alone beside a hosted control plane, whoever has asked for it or has one of his own", () => {
    const optional = driverOperators.find(({ id }) => id === "aws-efs");
    const decide = (isInstalled: boolean, found?: CSIDriver) =>
      optional && startDecision(optional, { facts: factsOn("AWS"), csiDriver: found, isInstalled, isHosted: true });
    expect([decide(false), decide(true), decide(true, csiDriver())]).toEqual(["skip", "not-hosted", "not-hosted"]);
  });

  it("does not start one beside somebody else's driver of the same name", () => {
    const input = { facts: factsOn("OpenStack"), isInstalled: false };
    expect(entry && startDecision(entry, { ...input, csiDriver: csiDriver() })).toBe("foreign");
    const ours = csiDriver({ [managedDriverAnnotation]: "true" });
    expect(entry && startDecision(entry, { ...input, csiDriver: ours })).toBe("start");
  });

  it("minds somebody else's driver only where it is for the platform", () => {
    const input = { facts: factsOn("None"), csiDriver: csiDriver(), isInstalled: true };
    expect(entry && startDecision(entry, input)).toBe("skip");
  });

  it("lets an entry decide by what is installed already", () => {
    const filtered = { ...entry, platform: "AllPlatforms", statusFilter: (_: unknown, is: boolean) => is } as const;
    const input = { facts: factsOn("AWS"), csiDriver: undefined };
    expect(startDecision(filtered as never, { ...input, isInstalled: true })).toBe("start");
    expect(startDecision(filtered as never, { ...input, isInstalled: false })).toBe("skip");
  });
});
