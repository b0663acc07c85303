import type { ClusterCSIDriver, DaemonSet, Deployment, StorageClass, VSphereCSIDriverConfig } from "@stowage/machinery";
import { renderObject } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { controllerSpec, nodeSpec, readDriverAssets } from "../../assets/index.ts";
import { assumedClusterCSIDriver, assumedFacts, usualCluster } from "../../render/assumed-cluster.ts";
import { imagesOrUsual } from "../../render/usual-images.ts";
import { maxVolumesGate, snapshotLimits, topologyCategories } from "./driver-settings.ts";
import { vmwareVsphereProfile as profile } from "./profile.ts";
import { vsphereHooks } from "./vsphere-hooks.ts";

interface Cluster {
  readonly vSphere?: VSphereCSIDriverConfig;
  readonly logLevel?: "Normal" | "Debug";
  readonly gates?: readonly string[];
  readonly failureDomains?: number;
}

function driverWith({ vSphere, logLevel = "Normal" }: Cluster): ClusterCSIDriver {
  const driver = assumedClusterCSIDriver(profile, { ...usualCluster, logLevel });
  return { ...driver, spec: { ...driver.spec, ...(vSphere && { driverConfig: { driverType: "vSphere", vSphere } }) } };
}

function domains(count = 0) {
  const failureDomains = Array.from({ length: count }, (_, index) => ({ name: `zone-${index}` }));
  return { vsphere: { failureDomains } } as unknown as Parameters<typeof topologyCategories>[1];
}

function inputFor({ gates = [], failureDomains }: Cluster) {
  const facts = { ...assumedFacts(profile, usualCluster), platformSpec: domains(failureDomains) };
  const sources = {
    facts: { current: async () => facts },
    secret: () => undefined,
    configMap: () => undefined,
    enabledGates: async () => new Set(gates),
  };
  const env = imagesOrUsual(profile, { VMWARE_VSPHERE_SYNCER_IMAGE: "registry.test/syncer:1" });
  return { profile, assets: readDriverAssets(profile), sources, hooks: vsphereHooks(sources), env };
}

async function workloadsIn(cluster: Cluster): Promise<(Deployment | DaemonSet)[]> {
  const input = inputFor(cluster);
  const context = { operator: driverWith(cluster), signal: new AbortController().signal };
  const controller = controllerSpec(input);
  if (controller === undefined) throw new Error("vSphere has a controller");
  const node = nodeSpec(input);
  return [
    await renderObject(controller.asset, { ...controller, context }),
    await renderObject(node.asset, { ...node, context }),
  ];
}

async function container(cluster: Cluster, part: 0 | 1, name: string) {
  const workload = (await workloadsIn(cluster))[part];
  const found = workload?.spec?.template.spec?.containers.find((each) => each.name === name);
  return {
    args: found?.args ?? [],
    env: new Map(found?.env?.map((each) => [each.name, each.value])),
    image: found?.image,
  };
}

describe("zones", () => {
  it.each<[string, Cluster, readonly string[]]>([
    ["none", {}, []],
    ["of the ClusterCSIDriver", { vSphere: { topologyCategories: ["k8s-zone"] } }, ["k8s-zone"]],
    ["of one failure domain", { failureDomains: 1 }, []],
    ["of two failure domains", { failureDomains: 2 }, ["openshift-zone", "openshift-region"]],
    ["of both", { failureDomains: 2, vSphere: { topologyCategories: ["x"] } }, ["openshift-zone", "openshift-region"]],
  ])("%s", async (_, cluster, categories) => {
    expect(topologyCategories(driverWith(cluster), domains(cluster.failureDomains))).toEqual(categories);
    const { args } = await container(cluster, 0, "csi-provisioner");
    const isOn = categories.length > 0;
    expect(args.includes("--feature-gates=Topology=true")).toBe(isOn);
    expect(args.includes("--feature-gates=Topology=false")).toBe(!isOn);
    expect(args.includes("--strict-topology")).toBe(isOn);
  });

  it("that another driver is configured by are passed over", () => {
    const driver = driverWith({});
    const spec = {
      ...driver.spec,
      driverConfig: { driverType: "AWS", vSphere: { topologyCategories: ["x"] } },
    } as const;
    expect(topologyCategories({ spec: { ...spec, driverConfig: { driverType: "AWS" } } }, {})).toEqual([]);
  });
});

describe("limits of snapshots", () => {
  it.each<[VSphereCSIDriverConfig, [string, string][]]>([
    [{}, []],
    [{ globalMaxSnapshotsPerBlockVolume: 10 }, [["global-max-snapshots-per-block-volume", "10"]]],
    [{ granularMaxSnapshotsPerBlockVolumeInVSAN: 32 }, [["granular-max-snapshots-per-block-volume-vsan", "32"]]],
    [{ granularMaxSnapshotsPerBlockVolumeInVVOL: 8 }, [["granular-max-snapshots-per-block-volume-vvol", "8"]]],
  ])("%j", (vSphere, limits) => {
    expect(snapshotLimits(driverWith({ vSphere }))).toEqual(limits);
  });
});

describe("volumes on a node", () => {
  it.each<[string, Cluster, string]>([
    ["59 as a rule", {}, "59"],
    ["not more while the feature is off", { vSphere: { maxAllowedBlockVolumesPerNode: 255 } }, "59"],
    ["59 with the feature on and nothing said", { gates: [maxVolumesGate] }, "59"],
    ["as many as are said", { gates: [maxVolumesGate], vSphere: { maxAllowedBlockVolumesPerNode: 255 } }, "255"],
  ])("%s", async (_, cluster, limit) => {
    expect((await container(cluster, 1, "csi-driver")).env.get("MAX_VOLUMES_PER_NODE")).toBe(limit);
  });
});

describe("the driver's log", () => {
  it.each([
    ["Normal", undefined],
    ["Debug", "DEVELOPMENT"],
  ] as const)("at %s", async (logLevel, word) => {
    for (const [part, name] of [
      [0, "csi-driver"],
      [0, "vsphere-syncer"],
      [1, "csi-driver"],
    ] as const) {
      expect((await container({ logLevel }, part, name)).env.get("LOGGER_LEVEL")).toBe(word);
    }
    expect((await container({ logLevel }, 0, "csi-provisioner")).env.has("X_CSI_DEBUG")).toBe(false);
  });
});

describe("what is named after something else", () => {
  it("is the syncer, by an image of its own", async () => {
    expect((await container({}, 0, "vsphere-syncer")).image).toBe("registry.test/syncer:1");
  });

  it("is the policy of the storage class, by the cluster", async () => {
    const { hooks, assets } = inputFor({});
    const [asset] = assets.storageClasses;
    if (asset === undefined) throw new Error("vSphere has a class");
    const context = { operator: driverWith({}), signal: new AbortController().signal };
    const { parameters } = await renderObject<StorageClass, typeof context>(asset, {
      objectHooks: hooks.storageClassHooks,
      context,
    });
    expect(parameters).toEqual({ StoragePolicyName: "openshift-storage-policy-cluster-id" });
  });
});
