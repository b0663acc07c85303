import type { ClusterCSIDriver, PlatformSpec } from "@stowage/machinery";
import type { ClusterFacts } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import type { CheckOutcome } from "../checks/check-result.ts";
import { checkErrors, DriverErrors } from "./driver-errors.ts";
import { failureDomainCounts, topologyFigures } from "./topology-figures.ts";

/** `east a vc-1 DC0 /ds/1`; a dash is nothing. */
const domain = (text: string) => {
  const [region = "", zone = "", server = "", datacenter = "", datastore = ""] = text
    .split(" ")
    .map((word) => (word === "-" ? "" : word));
  return failureDomain({ region, zone, server }, { datacenter, datastore });
};

const failureDomain = (
  { region, zone, server }: { readonly region: string; readonly zone: string; readonly server: string },
  { datacenter, datastore }: { readonly datacenter: string; readonly datastore: string },
) => ({
  name: `${region}-${zone}`,
  region,
  zone,
  server,
  topology: { datacenter, datastore, computeCluster: "", networks: [] },
});

describe("what is wrong with the driver", () => {
  test.each<[CheckOutcome, string[]]>([
    ["pass", []],
    ["blockUpgrade", ["upgrade_blocked"]],
    ["blockInstall", ["install_blocked", "upgrade_blocked"]],
    ["upgradeUnknown", ["upgrade_unknown"]],
    ["degrade", ["degraded"]],
  ])("is told by the words that alerts look for: %s", (outcome, conditions) => {
    expect(checkErrors({ status: "existing_driver_found" }, outcome)).toEqual(
      conditions.map((condition) => ({ reason: "existing_driver_found", condition })),
    );
  });

  it("is what each who looks has said last", () => {
    const errors = new DriverErrors();
    errors.say("checks", checkErrors({ status: "vsphere_connection_failed" }, "upgradeUnknown"));
    errors.say("policies", [{ reason: "vcenter_api_error", condition: "storage_class_sync_failed" }]);
    errors.say("checks", checkErrors({ status: "check_deprecated_vcenter" }, "blockUpgrade"));
    expect(errors.figure.rows()).toEqual([
      { labels: { failure_reason: "check_deprecated_vcenter", condition: "upgrade_blocked" }, value: 1 },
      { labels: { failure_reason: "vcenter_api_error", condition: "storage_class_sync_failed" }, value: 1 },
    ]);
    errors.say("checks", []);
    errors.say("policies", []);
    expect(errors.figure.rows()).toEqual([]);
  });
});

describe("failure domains", () => {
  it("are counted by what they are made of, each in the place that it is in", () => {
    const failureDomains = [
      domain("east a vc-1 DC0 /ds/1"),
      domain("east b vc-1 DC0 /ds/2"),
      domain("west a vc-2 DC1 /ds/1"),
      domain("west - vc-2 DC1 -"),
    ];
    expect(Object.fromEntries(failureDomainCounts({ vsphere: { failureDomains } }))).toEqual({
      datacenters: 2,
      datastores: 3,
      regions: 2,
      zones: 3,
      vcenters: 2,
      failure_domains: 4,
    });
  });

  it("are none where the Infrastructure says nothing of vSphere", () => {
    expect([...failureDomainCounts({}).values()]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("tags of zones", () => {
  const tags = async (driver: ClusterCSIDriver | undefined, platformSpec: Partial<PlatformSpec>) => {
    const facts = { current: async () => ({ platformSpec }) as ClusterFacts };
    const [figure] = topologyFigures({ operator: { current: () => driver }, facts } as never);
    return Object.fromEntries((await figure?.values()) ?? []);
  };
  const driver = (topologyCategories?: string[]): ClusterCSIDriver => ({
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name: "csi.vsphere.vmware.com" },
    spec: { managementState: "Managed", driverConfig: { driverType: "vSphere", vSphere: { topologyCategories } } },
  });
  const two = [domain("east a s d d"), domain("east b s d d")];

  test.each<[string, ClusterCSIDriver | undefined, Partial<PlatformSpec>, Record<string, number>]>([
    ["nowhere", driver(), {}, { infrastructure: 0, clustercsidriver: 0 }],
    ["in the ClusterCSIDriver", driver(["a", "b", "c"]), {}, { infrastructure: 0, clustercsidriver: 3 }],
    [
      "in one failure domain",
      driver(),
      { vsphere: { failureDomains: two.slice(1) } },
      { infrastructure: 0, clustercsidriver: 0 },
    ],
    ["in both", driver(["a"]), { vsphere: { failureDomains: two } }, { infrastructure: 2, clustercsidriver: 1 }],
    ["before anything is known", undefined, {}, {}],
  ])("are counted where they are said: %s", async (_case, found, platformSpec, expected) => {
    expect(await tags(found, platformSpec)).toEqual(expected);
  });
});
