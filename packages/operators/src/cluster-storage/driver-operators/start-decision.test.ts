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

describe("which drivers are started", () => {
  it.each<[PlatformType, string | undefined, string[]]>([
    ["OpenStack", undefined, ["openstack-cinder"]],
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

  it("does not start one beside somebody else's driver of the same name", () => {
    const [entry] = driverOperators;
    const input = { facts: factsOn("OpenStack"), isInstalled: false };
    expect(entry && startDecision(entry, { ...input, csiDriver: csiDriver() })).toBe("foreign");
    const ours = csiDriver({ [managedDriverAnnotation]: "true" });
    expect(entry && startDecision(entry, { ...input, csiDriver: ours })).toBe("start");
  });

  it("minds somebody else's driver only where it is for the platform", () => {
    const [entry] = driverOperators;
    const input = { facts: factsOn("None"), csiDriver: csiDriver(), isInstalled: true };
    expect(entry && startDecision(entry, input)).toBe("skip");
  });

  it("lets an entry decide by what is installed already", () => {
    const [entry] = driverOperators;
    const filtered = { ...entry, platform: "AllPlatforms", statusFilter: (_: unknown, is: boolean) => is } as const;
    const input = { facts: factsOn("AWS"), csiDriver: undefined };
    expect(startDecision(filtered as never, { ...input, isInstalled: true })).toBe("start");
    expect(startDecision(filtered as never, { ...input, isInstalled: false })).toBe("skip");
  });
});
