import {
  clusterCSIDrivers,
  configMaps,
  daemonSets,
  type InfrastructureSpec,
  leases,
  namespaces,
  type OperatorSpec,
} from "@stowage/machinery";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { assetIdentities, namesOf, readAll } from "./driver-operator/applied-objects.ts";
import { becomeOpenStack, createDriver, namespace } from "./driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "./driver-operator/running-operator.ts";
import { unusedRights } from "./driver-operator/unused-rights.ts";
import { RunningStorageOperator } from "./storage-operator/running-storage-operator.ts";
import { type StorageCluster, startStorageCluster } from "./storage-operator/storage-cluster.ts";
import { everything } from "./uninstall/everything.ts";
import { holderCases } from "./uninstall/holders.ts";

/** From the moment that nothing uses the driver any more. */
const RELEASED_WITHIN_MS = 10_000;

let cluster: StorageCluster;

beforeAll(async () => {
  cluster = await startStorageCluster();
  await cluster.client.create(namespaces, { metadata: { name: namespace } }).catch(() => {});
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe("the un-installation of an optional driver", () => {
  const driver = "local.csi.stowage.dev";
  const held = "LocalDriverRemovalProgressing";
  const nodePods = { namespace, name: "stowage-local-csi-driver-node" };
  let operator: RunningOperator;
  let before: string[];

  beforeAll(async () => {
    await cluster.become();
    operator = new RunningOperator(cluster, await loadDriverProfile("local"));
    await operator.start();
    before = await everything(cluster);
  });
  afterAll(() => operator.stop());

  const wanted = () => assetIdentities(operator.profile);
  const install = async () => {
    await createDriver(cluster, driver);
    await eventually(async () => expect(await namesOf(cluster, wanted(), "missing")).toEqual([]));
    await eventually(async () => expect((await cluster.conditions(driver)).filter(isDegraded)).toEqual([]));
  };
  const uninstall = () => cluster.client.delete(clusterCSIDrivers, { name: driver });
  const isGone = async () => expect(await cluster.client.find(clusterCSIDrivers, { name: driver })).toBeUndefined();
  const setSpec = (spec: OperatorSpec) =>
    cluster.client.patch(clusterCSIDrivers, { name: driver }, { type: "merge", patch: { spec } });

  describe.each(holderCases({ driver, storageClass: "stowage-local", snapshotClass: "stowage-local" }))(
    "that has $title",
    (holder) => {
      it("is held, with the holder named, and released within 10 s, and nothing is left", async () => {
        await install();
        await holder.create(cluster);
        await uninstall();
        await eventually(async () => expect(await cluster.messageOf(driver, held)).toContain(holder.named));
        expect(await cluster.messageOf(driver, held)).toMatch(
          /^The driver stays while it is in use by .* Delete these/u,
        );
        expect(await namesOf(cluster, wanted(), "missing")).toEqual([]);
        // Whatever is needed is kept in order meanwhile.
        const patch = { spec: { template: { spec: { nodeSelector: { nowhere: "" } } } } };
        await cluster.client.patch(daemonSets, nodePods, { type: "merge", patch });
        await eventually(async () => {
          const { spec } = await cluster.client.get(daemonSets, nodePods);
          expect(spec?.template.spec?.nodeSelector).not.toHaveProperty("nowhere");
        });
        await holder.remove(cluster);
        const sinceMs = performance.now();
        await eventually(isGone, RELEASED_WITHIN_MS);
        console.info(
          `released with everything gone after ${Math.round(performance.now() - sinceMs)} ms (${holder.title})`,
        );
        await eventually(async () => expect(await everything(cluster)).toEqual(before));
      });
    },
  );

  it("that nothing uses is not held, also where earlier sidecars have left an empty journal", async () => {
    await install();
    const name = "local-csi-stowage-dev-provisioning-intents-n1";
    await cluster.client.create(configMaps, { metadata: { namespace, name } });
    const sinceMs = Date.now();
    await uninstall();
    await eventually(isGone);
    // Nothing loses its rights while it ends.
    const deleted = operator.requests(sinceMs).filter(({ verb }) => verb === "delete");
    const order = deleted.map(({ resource }) => resource);
    const first = (resource: string) => order.indexOf(resource);
    for (const later of ["serviceaccounts", "clusterrolebindings", "clusterroles", "csidrivers", "secrets"]) {
      expect(first(later)).toBeGreaterThan(first("daemonsets"));
    }
    expect(first("clusterroles")).toBeGreaterThan(first("clusterrolebindings"));
    await eventually(async () => expect(await everything(cluster)).toEqual(before));
  });

  it("goes on where a process has left off", async () => {
    await install();
    const [volume] = holderCases({ driver, storageClass: "", snapshotClass: "" });
    await volume?.create(cluster);
    await uninstall();
    await eventually(async () => expect(await cluster.messageOf(driver, held)).toContain("held-volume"));
    await operator.stop();
    await volume?.remove(cluster);
    await operator.start();
    await eventually(isGone);
    await eventually(async () => expect(await everything(cluster)).toEqual(before));
  });

  it("by managementState is held likewise, can be called off, and says so when it is done", async () => {
    await install();
    const [volume] = holderCases({ driver, storageClass: "", snapshotClass: "" });
    await volume?.create(cluster);
    await setSpec({ managementState: "Removed" });
    await eventually(async () => expect(await cluster.messageOf(driver, held)).toContain("held-volume"));
    await setSpec({ managementState: "Managed" });
    await eventually(async () => expect(await cluster.messageOf(driver, held)).toBeUndefined());
    expect(await namesOf(cluster, wanted(), "missing")).toEqual([]);
    await setSpec({ managementState: "Removed" });
    await eventually(async () => expect(await cluster.messageOf(driver, held)).toContain("held-volume"));
    await volume?.remove(cluster);
    await eventually(async () =>
      expect(await everything(cluster)).toEqual([...before, `ClusterCSIDriver ${driver}`].toSorted()),
    );
    await eventually(async () => expect((await cluster.driver(driver)).metadata.finalizers ?? []).toEqual([]));
    await eventually(async () =>
      expect((await cluster.conditions(driver)).filter((each) => each.includes("Progressing"))).toEqual([]),
    );
    await uninstall();
    await eventually(isGone);
  });

  it("that is Unmanaged waits for the administrator's word, and says so", async () => {
    await install();
    await setSpec({ managementState: "Unmanaged" });
    await uninstall();
    await eventually(async () =>
      expect(await cluster.messageOf(driver, held)).toContain("Set spec.managementState to Removed"),
    );
    expect(await namesOf(cluster, wanted(), "missing")).toEqual([]);
    await setSpec({ managementState: "Removed" });
    await eventually(isGone);
    await eventually(async () => expect(await everything(cluster)).toEqual(before));
  });

  it("was refused nothing, and has no right that it does not use", async () => {
    expect(await operator.stop()).toBe(0);
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect([...new Set(refused.map(requestText))]).toEqual([]);
    expect(unusedRights(operator)).toEqual([]);
  });
});

// Each with a Deployment too, and with sidecars that lead.
describe.each([
  ["aws-efs", { type: "AWS", aws: { region: "us-east-1" } }],
  ["gcp-filestore", { type: "GCP", gcp: { projectID: "p", region: "r" } }],
  ["smb", { type: "None" }],
] as const)("the un-installation of %s", (id, platformStatus) => {
  let operator: RunningOperator;
  afterEach(() => operator.stop());

  it("waits for its volumes, leaves nothing behind, and needs no more rights than it has", async () => {
    const profile = await loadDriverProfile(id);
    const { driverName, conditionPrefix } = profile;
    await cluster.become({ spec: { platformSpec: { type: platformStatus.type } }, status: { platformStatus } });
    operator = new RunningOperator(cluster, profile);
    await operator.start({ ...images, TOOLS_IMAGE: "registry.test/tools:1" });
    const before = await everything(cluster);
    await createDriver(cluster, driverName);
    const workloads = assetIdentities(profile).filter(({ kind }) => ["DaemonSet", "CSIDriver"].includes(kind));
    await eventually(async () => expect(await namesOf(cluster, workloads, "missing")).toEqual([]));
    for (const name of sidecarLeases(driverName)) {
      await cluster.client.create(leases, { metadata: { namespace, name } });
    }
    const [volume] = holderCases({ driver: driverName, storageClass: "", snapshotClass: "" });
    await volume?.create(cluster);
    await cluster.client.delete(clusterCSIDrivers, { name: driverName });
    const held = () => cluster.messageOf(driverName, `${conditionPrefix}DriverRemovalProgressing`);
    await eventually(async () => expect(await held()).toContain("1 PersistentVolume (held-volume)"));
    expect(await namesOf(cluster, workloads, "missing")).toEqual([]);
    await volume?.remove(cluster);
    const isGone = async () =>
      expect(await cluster.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined();
    await eventually(isGone, RELEASED_WITHIN_MS);
    await eventually(async () => expect(await everything(cluster)).toEqual(before));
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect([...new Set(refused.map(requestText))]).toEqual([]);
  });
});

function sidecarLeases(driverName: string): string[] {
  const name = driverName.replaceAll(".", "-");
  return [name, `external-attacher-leader-${name}`, `external-resizer-${name}`, `external-snapshotter-leader-${name}`];
}

const isDegraded = (condition: string) => /Degraded=(?!False)/u.test(condition);

describe("the ClusterCSIDriver of a driver that the platform needs", () => {
  const localPlatform: InfrastructureSpec = { platformSpec: { type: "External", external: { platformName: "local" } } };
  let storage: RunningStorageOperator;
  let operator: RunningOperator | undefined;

  beforeEach(() => {
    storage = new RunningStorageOperator(cluster);
  });
  afterEach(async () => {
    await Promise.all([storage.stop(), operator?.stop()]);
  });

  it.each([
    ["openstack-cinder", "combined", async () => becomeOpenStack(cluster)],
    ["local", undefined, async () => cluster.become({ spec: localPlatform })],
  ] as const)("comes back when it is deleted, and nothing of %s is touched", async (id, otherMode, become) => {
    const profile = await loadDriverProfile(id);
    const driver = profile.driverName;
    await cluster.become();
    await become();
    await storage.start();
    await eventually(async () => expect(await cluster.client.find(clusterCSIDrivers, { name: driver })).toBeDefined());
    operator = new RunningOperator(cluster, profile);
    await operator.start({ ...images, NEEDED_BY_PLATFORM: "true" });
    const wanted = assetIdentities(profile, otherMode);
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    await eventually(async () => expect((await cluster.conditions(driver)).filter(isDegraded)).toEqual([]));
    const versions = async () =>
      (await readAll(cluster, wanted)).map(
        (each) => `${each?.kind} ${each?.metadata.uid} ${each?.metadata.generation}`,
      );
    const [uids, { metadata: first }] = [await versions(), await cluster.driver(driver)];
    const sinceMs = Date.now();
    await cluster.client.delete(clusterCSIDrivers, { name: driver });
    await eventually(async () => expect((await cluster.driver(driver)).metadata.uid).not.toBe(first.uid));
    // Its operator has seen the new one.
    await eventually(async () =>
      expect((await cluster.conditions(driver)).join()).toContain("NodeServiceControllerAvailable"),
    );
    expect(await versions()).toEqual(uids);
    expect(
      operator
        .requests(sinceMs)
        .filter(({ verb }) => verb === "delete")
        .map(requestText),
    ).toEqual([]);
  });
});
