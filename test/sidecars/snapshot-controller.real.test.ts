import {
  nodes,
  persistentVolumeClaims,
  provisioningFinalizers,
  snapshotAnnotations,
  snapshotFinalizers,
  snapshotLabels,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SnapshotBench, SOON } from "./snapshot-bench.ts";

let bench: SnapshotBench;
/** The driver's default. */
let className: string;

beforeAll(async () => {
  bench = await SnapshotBench.start();
  className = await bench.makeClass("default", {
    metadata: { annotations: { [snapshotAnnotations.isDefaultClass]: "true" } },
  });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const { asSource, bound, claimAsSource, content: contentFinalizer } = snapshotFinalizers;

async function claimIsFree(name: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await bench.claim(name)).metadata.finalizers).not.toContain(claimAsSource),
    SOON,
  );
}

describe("a snapshot of a claim", () => {
  it("is taken with the driver's default class, with eleven requests and no reads", async () => {
    await bench.makeClaim("life");
    bench.requests.length = 0;
    await bench.makeSnapshot("life", { source: { persistentVolumeClaimName: "life" } });
    const snapshot = await bench.ready("life");
    await claimIsFree("life");
    expect(bench.requests.toSorted()).toEqual([
      "create volumesnapshotcontents",
      "event CreatingSnapshot",
      "event SnapshotCreated",
      "event SnapshotReady",
      "patch volumesnapshotcontents",
      "patch volumesnapshotcontents",
      "patch volumesnapshotcontents/status",
      "patch volumesnapshots",
      "patch volumesnapshots/status",
      "update persistentvolumeclaims",
      "update persistentvolumeclaims",
    ]);
    const content = await bench.contentOf(snapshot);
    expect(snapshot).toMatchObject({
      metadata: { finalizers: [asSource, bound] },
      spec: { volumeSnapshotClassName: className },
      status: { boundVolumeSnapshotContentName: content.metadata.name, readyToUse: true, restoreSize: "1Gi" },
    });
    expect(content).toMatchObject({
      metadata: { finalizers: [contentFinalizer] },
      spec: {
        deletionPolicy: "Delete",
        driver: bench.bench.driverName,
        sourceVolumeMode: "Filesystem",
        volumeSnapshotClassName: className,
        volumeSnapshotRef: {
          kind: "VolumeSnapshot",
          namespace: bench.namespace,
          name: "life",
          uid: snapshot.metadata.uid,
        },
      },
      status: { readyToUse: true, restoreSize: 1024 ** 3 },
    });
    expect(content.metadata.annotations ?? {}).not.toHaveProperty([snapshotAnnotations.beingCreated]);
    const taken = new Date(bench.bench.driver.state().snapshots[0]?.createdAtMs ?? 0);
    expect(snapshot.status?.creationTime).toBe(`${taken.toISOString().slice(0, 19)}Z`);
    await bench.event(
      snapshot,
      /^Normal CreatingSnapshot Waiting for a snapshot .*\/life to be created by the CSI driver\.$/u,
    );
    await bench.event(
      snapshot,
      /^Normal SnapshotCreated Snapshot .*\/life was successfully created by the CSI driver\.$/u,
    );
    await bench.event(snapshot, /^Normal SnapshotReady Snapshot .*\/life is ready to use\.$/u);
  });

  it("goes with its content and with what is in the storage when the policy is Delete", async () => {
    const snapshot = await bench.snapshot("life");
    const content = await bench.contentOf(snapshot);
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshotContents, content);
    expect(bench.storedSnapshots()).toEqual([]);
  });

  it("leaves its content when the policy is Retain; deleting that later leaves the storage as it is", async () => {
    const retaining = await bench.makeClass("retain", { deletionPolicy: "Retain" });
    await bench.makeClaim("retain");
    await bench.makeSnapshot("retain", {
      source: { persistentVolumeClaimName: "retain" },
      volumeSnapshotClassName: retaining,
    });
    const snapshot = await bench.ready("retain");
    expect(snapshot.metadata.finalizers).toEqual([asSource]);
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    const content = await bench.contentOf(snapshot);
    expect(content.metadata.annotations).toHaveProperty([snapshotAnnotations.beingDeleted], "yes");
    await bench.delete(volumeSnapshotContents, content);
    await bench.gone(volumeSnapshotContents, content);
    expect(bench.storedSnapshots()).toEqual([`snapshot-${snapshot.metadata.uid}`]);
    expect(bench.bench.driver.calls("DeleteSnapshot")).toHaveLength(1);
  });

  it("waits for its claim to be bound, and goes on at once when it is", async () => {
    const { client, namespace } = bench;
    await client.create(persistentVolumeClaims, {
      metadata: { namespace, name: "late" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    await bench.makeSnapshot("late", { source: { persistentVolumeClaimName: "late" } });
    await bench.failed(
      "late",
      /the PVC late is not yet bound to a PV, will not attempt to take a snapshot\. It is tried/u,
    );
    const { metadata } = await bench.makeVolume("late");
    const spec = { volumeName: metadata.name };
    await client.patch(persistentVolumeClaims, { namespace, name: "late" }, { type: "merge", patch: { spec } });
    const snapshot = await bench.ready("late");
    expect(snapshot.status).not.toHaveProperty("error");
  });

  it("does not pin its claim when it never gets as far as being taken", async () => {
    await bench.makeClaim("pinned");
    await bench.makeSnapshot("invalid", {
      source: { persistentVolumeClaimName: "pinned" },
      volumeSnapshotClassName: "no-such-class",
    });
    const invalid = await bench.failed(
      "invalid",
      /the VolumeSnapshotClass no-such-class does not exist\. Make the class/u,
    );
    await bench.event(invalid, /^Warning GetSnapshotClassFailed /u);
    expect((await bench.claim("pinned")).metadata.finalizers).not.toContain(claimAsSource);
    await bench.makeSnapshot("valid", { source: { persistentVolumeClaimName: "pinned" } });
    await bench.ready("valid");
    await claimIsFree("pinned");
  });

  it("keeps its claim while it is being taken", async () => {
    await bench.makeClaim("kept");
    bench.bench.driver.addFault({ method: "CreateSnapshot", volume: `${bench.namespace}-kept`, kind: "hang" });
    await bench.makeSnapshot("kept", { source: { persistentVolumeClaimName: "kept" } });
    const snapshot = await bench.failed("kept", /DeadlineExceeded/u);
    expect((await bench.claim("kept")).metadata.finalizers).toContain(claimAsSource);
    expect(snapshot.status?.boundVolumeSnapshotContentName).toBe(`snapcontent-${snapshot.metadata.uid}`);
    bench.bench.driver.clearFaults();
    await bench.ready("kept");
    await claimIsFree("kept");
  });

  it("says what to do about several default classes", async () => {
    const annotations = { [snapshotAnnotations.isDefaultClass]: "true" };
    const second = await bench.makeClass("default-2", { metadata: { annotations } });
    await bench.makeClaim("two-defaults");
    await bench.makeSnapshot("two-defaults", { source: { persistentVolumeClaimName: "two-defaults" } });
    const snapshot = await bench.failed(
      "two-defaults",
      /2 default snapshot classes were found .* Leave the annotation/u,
    );
    await bench.event(
      snapshot,
      /^Warning SetDefaultSnapshotClassFailed Failed to set default snapshot class: 2 default/u,
    );
    await bench.client.patch(
      volumeSnapshotClasses,
      { name: second },
      { type: "merge", patch: { metadata: { annotations: { [snapshotAnnotations.isDefaultClass]: null } } } },
    );
    await bench.ready("two-defaults");
  });

  it("is not taken anew when its content is lost: that would be of other data", async () => {
    await bench.makeClaim("lost");
    await bench.makeSnapshot("lost", { source: { persistentVolumeClaimName: "lost" } });
    const content = await bench.contentOf(await bench.ready("lost"));
    const created = bench.bench.driver.calls("CreateSnapshot").length;
    const { name = "" } = content.metadata;
    await bench.delete(volumeSnapshotContents, content);
    await bench.client.patch(
      volumeSnapshotContents,
      { name },
      { type: "merge", patch: { metadata: { finalizers: [] } } },
    );
    const snapshot = await bench.failed(
      "lost",
      /VolumeSnapshotContent snapcontent-.* is missing\. Make the content again/u,
    );
    expect(snapshot.status?.readyToUse).toBe(false);
    await bench.event(snapshot, /^Warning SnapshotContentMissing /u);
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    expect(bench.bench.driver.calls("CreateSnapshot")).toHaveLength(created);
  });

  it("is not deleted while a claim waits to be restored from it", async () => {
    const { client, namespace } = bench;
    await bench.makeClaim("source");
    await bench.makeSnapshot("restored", { source: { persistentVolumeClaimName: "source" } });
    const snapshot = await bench.ready("restored");
    const restore = await client.create(persistentVolumeClaims, {
      metadata: { namespace, name: "restore" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        resources: { requests: { storage: "1Gi" } },
        dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "restored" },
      },
    });
    await vi.waitFor(async () => expect((await bench.claim("restore")).status?.phase).toBe("Pending"), SOON);
    await bench.delete(volumeSnapshots, snapshot);
    await bench.event(
      snapshot,
      /^Warning SnapshotDeletePending Snapshot is being used to restore a PVC\. .* restore is bound/u,
    );
    expect((await bench.contentOf(snapshot)).metadata.deletionTimestamp).toBeUndefined();
    await bench.delete(persistentVolumeClaims, restore);
    await bench.gone(volumeSnapshots, snapshot);
  });
});

describe("a snapshot that a provisioner still restores", () => {
  it("is not deleted, though its claim is gone", async () => {
    const { client, namespace } = bench;
    await bench.makeClaim("held");
    const held = await bench.makeSnapshot("held", { source: { persistentVolumeClaimName: "held" } });
    const { metadata } = await bench.ready("held");
    const ref = { namespace, name: "held" };
    const finalizers = [...(metadata.finalizers ?? []), provisioningFinalizers.snapshotSourceProtection];
    await client.patch(volumeSnapshots, ref, { type: "merge", patch: { metadata: { finalizers } } });
    await bench.delete(volumeSnapshots, held);
    await bench.event(held, /^Warning SnapshotDeletePending .* It is deleted when the provisioner is done with it\.$/u);
    expect((await bench.contentOf(held)).metadata.deletionTimestamp).toBeUndefined();
    const released = { metadata: { finalizers: metadata.finalizers } };
    await client.patch(volumeSnapshots, ref, { type: "merge", patch: released });
    await bench.gone(volumeSnapshots, held);
  });
});

describe("a snapshot that exists already", () => {
  /** In the storage, unknown to Kubernetes. */
  async function storedSnapshot(name: string): Promise<string> {
    await bench.makeClaim(name);
    const { volumes } = bench.bench.driver.state();
    const sourceVolumeId = volumes.find((volume) => volume.name === `${bench.namespace}-${name}`)?.id ?? "";
    const { snapshot } = await bench.bench.deps.csi.controller.createSnapshot({ name, sourceVolumeId });
    return snapshot?.snapshotId ?? "";
  }

  async function makeContent(name: string, snapshotHandle: string, deletionPolicy: "Delete" | "Retain" = "Delete") {
    return await bench.client.create(volumeSnapshotContents, {
      metadata: { name: `${bench.namespace}-${name}` },
      spec: {
        deletionPolicy,
        driver: bench.bench.driverName,
        source: { snapshotHandle },
        volumeSnapshotRef: { namespace: bench.namespace, name },
      },
    });
  }

  it("is bound to the content that names it, also when that comes later, and goes with it", async () => {
    const handle = await storedSnapshot("existing");
    const contentName = `${bench.namespace}-existing`;
    await bench.makeSnapshot("existing", { source: { volumeSnapshotContentName: contentName } });
    const waiting = await bench.failed("existing", /VolumeSnapshotContent .*-existing is missing/u);
    await bench.event(waiting, /^Warning SnapshotContentMissing /u);
    const content = await makeContent("existing", handle);
    const snapshot = await bench.ready("existing");
    expect(snapshot).toMatchObject({
      metadata: { finalizers: [asSource, bound] },
      status: { boundVolumeSnapshotContentName: contentName, restoreSize: "1Gi" },
    });
    expect(await bench.client.get(volumeSnapshotContents, { name: contentName })).toMatchObject({
      metadata: { finalizers: [contentFinalizer] },
      spec: { volumeSnapshotRef: { uid: snapshot.metadata.uid } },
      status: { snapshotHandle: handle, readyToUse: true },
    });
    await bench.delete(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshots, snapshot);
    await bench.gone(volumeSnapshotContents, content);
    expect(bench.storedSnapshots()).not.toContain("existing");
  });

  it("is refused when its content is another's, or was taken for another", async () => {
    const handle = await storedSnapshot("others");
    await makeContent("others", handle);
    await bench.makeSnapshot("thief", { source: { volumeSnapshotContentName: `${bench.namespace}-others` } });
    const thief = await bench.failed("thief", /is bound to a different snapshot\. Delete this snapshot/u);
    await bench.event(thief, /^Warning SnapshotContentMisbound /u);
    await bench.makeSnapshot("dynamic", { source: { persistentVolumeClaimName: "others" } });
    const { metadata } = await bench.ready("dynamic");
    await bench.makeSnapshot("mixed", { source: { volumeSnapshotContentName: `snapcontent-${metadata.uid}` } });
    const mixed = await bench.failed("mixed", /is dynamically provisioned while expecting a pre-provisioned one/u);
    await bench.event(mixed, /^Warning SnapshotContentMismatch /u);
  });

  it("says so on the content when the driver does not know it", async () => {
    const content = await makeContent("unknown", "snap-nobody-knows");
    await bench.event(
      content,
      /^Warning SnapshotContentCheckandUpdateFailed .*: the driver cannot find a snapshot with the id snap-nobody-knows\. Check/u,
    );
    await bench.delete(volumeSnapshotContents, content);
    await bench.gone(volumeSnapshotContents, content);
  });
});

it("counts and times what it does, by driver and outcome", async () => {
  await bench.restart();
  await bench.makeClaim("measured");
  await bench.makeSnapshot("measured", { source: { persistentVolumeClaimName: "measured" } });
  const snapshot = await bench.ready("measured");
  await bench.delete(volumeSnapshots, snapshot);
  await bench.gone(volumeSnapshots, snapshot);
  const common = { driver_name: bench.bench.driverName, snapshot_type: "dynamic", operation_status: "success" };
  await vi.waitFor(async () => {
    for (const operation_name of ["CreateSnapshot", "CreateSnapshotAndReady", "DeleteSnapshot"]) {
      expect(await bench.countOf({ ...common, operation_name })).toBe(1);
    }
  }, SOON);
});

describe("in distributed mode", () => {
  // One controller in a cluster: two would both make contents.
  beforeAll(() => bench.bench.stopSidecars());

  it("labels contents with the node of the volume, whose sidecar alone takes them", async () => {
    await using here = await SnapshotBench.start({
      controller: { isDistributed: true },
      snapshotter: { nodeName: "snapshot-node-a" },
    });
    for (const name of ["snapshot-node-a", "snapshot-node-b"]) {
      await here.client.create(nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name } } });
    }
    const localClass = await here.makeClass("distributed");
    for (const node of ["a", "b"]) {
      const values = [`snapshot-node-${node}`];
      const term = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In" as const, values }] };
      await here.makeClaim(node, { volume: { nodeAffinity: { required: { nodeSelectorTerms: [term] } } } });
      await here.makeSnapshot(node, {
        source: { persistentVolumeClaimName: node },
        volumeSnapshotClassName: localClass,
      });
    }
    const mine = await here.ready("a");
    expect((await here.contentOf(mine)).metadata.labels).toEqual({ [snapshotLabels.managedBy]: "snapshot-node-a" });
    const other = await here.snapshot("b");
    await vi.waitFor(async () => {
      const { metadata } = await here.contentOf(other);
      expect(metadata.labels).toEqual({ [snapshotLabels.managedBy]: "snapshot-node-b" });
    }, SOON);
    expect(here.storedSnapshots()).toEqual([`snapshot-${mine.metadata.uid}`]);
    for (const name of ["snapshot-node-a", "snapshot-node-b"]) await here.client.delete(nodes, { name });
  });
});
