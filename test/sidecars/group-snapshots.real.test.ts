import { createHash } from "node:crypto";
import {
  groupSnapshotAnnotations,
  persistentVolumeClaims,
  secrets,
  snapshotAnnotations,
  snapshotFinalizers,
  type VolumeGroupSnapshot,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SnapshotBench, SOON } from "./snapshot-bench.ts";

let bench: SnapshotBench;

beforeAll(async () => {
  bench = await SnapshotBench.start();
  await bench.makeGroupClass("default", {
    metadata: { annotations: { [groupSnapshotAnnotations.isDefaultClass]: "true" } },
  });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

beforeEach(() => {
  bench.bench.driver.clearFaults();
  bench.bench.driver.clearCalls();
});

/** Three claims with the label, and one without. */
async function makeClaims(app: string): Promise<string[]> {
  await Promise.all(["a", "b", "c"].map((part) => bench.makeClaim(`${app}-${part}`, { labels: { app } })));
  const { volumes } = bench.bench.driver.state();
  return ["a", "b", "c"].map(
    (part) => volumes.find(({ name }) => name === `${bench.namespace}-${app}-${part}`)?.id ?? "",
  );
}

async function makeGroup(name: string, spec: Partial<VolumeGroupSnapshot["spec"]> = {}): Promise<VolumeGroupSnapshot> {
  return await bench.client.create(volumeGroupSnapshots, {
    metadata: { namespace: bench.namespace, name },
    spec: { source: { selector: { matchLabels: { app: name } } }, ...spec },
  });
}

function hashOf(group: VolumeGroupSnapshot, volumeHandle: string): string {
  return createHash("sha256").update(`${group.metadata.uid}${volumeHandle}`).digest("hex");
}

async function groupFailed(name: string, message: RegExp): Promise<VolumeGroupSnapshot> {
  return await vi.waitFor(async () => {
    const group = await bench.client.get(volumeGroupSnapshots, { namespace: bench.namespace, name });
    expect(group.status?.error?.message).toMatch(message);
    return group;
  }, SOON);
}

describe("a group snapshot of three claims", () => {
  it("is taken at once, and each member becomes a snapshot of its own", async () => {
    const handles = await makeClaims("trio");
    await bench.makeClaim("bystander", { labels: { app: "other" } });
    await makeGroup("trio");
    const group = await bench.readyGroup("trio");
    const contentName = `groupsnapcontent-${group.metadata.uid}`;
    expect(group).toMatchObject({
      metadata: { finalizers: [snapshotFinalizers.groupBound] },
      spec: { volumeGroupSnapshotClassName: `${bench.namespace}-default` },
      status: { boundVolumeGroupSnapshotContentName: contentName },
    });
    expect(bench.bench.driver.calls("CreateVolumeGroupSnapshot")[0]?.request).toMatchObject({
      name: `groupsnapshot-${group.metadata.uid}`,
      source_volume_ids: handles,
    });
    const content = await bench.client.get(volumeGroupSnapshotContents, { name: contentName });
    expect(content.status?.volumeSnapshotInfoList?.map(({ volumeHandle }) => volumeHandle)).toEqual(handles);
    for (const [index, handle] of handles.entries()) {
      const hash = hashOf(group, handle);
      const member = await bench.ready(`snapshot-${hash}`);
      expect(member).toMatchObject({
        metadata: {
          ownerReferences: [{ kind: "VolumeGroupSnapshot", name: "trio", uid: group.metadata.uid }],
          finalizers: expect.arrayContaining([snapshotFinalizers.inGroup]),
        },
        spec: { source: { persistentVolumeClaimName: `trio-${"abc"[index]}` } },
        status: { boundVolumeSnapshotContentName: `snapcontent-${hash}`, volumeGroupSnapshotName: "trio" },
      });
      const memberContent = await bench.client.get(volumeSnapshotContents, { name: `snapcontent-${hash}` });
      const groupHandle = content.status?.volumeGroupSnapshotHandle;
      expect(memberContent).toMatchObject({
        metadata: { annotations: { [snapshotAnnotations.groupSnapshotHandle]: groupHandle } },
        spec: { source: { volumeHandle: handle }, sourceVolumeMode: "Filesystem" },
        status: { volumeGroupSnapshotHandle: groupHandle, readyToUse: true },
      });
    }
    expect(bench.bench.driver.calls("CreateSnapshot")).toEqual([]);
    await bench.event(group, /^Normal CreatingGroupSnapshot /u);
    await bench.event(group, /^Normal GroupSnapshotCreated /u);
    await bench.event(group, /^Normal GroupSnapshotReady /u);
  });

  it("does not let a member go alone", async () => {
    const group = await bench.readyGroup("trio");
    const { items } = await bench.client.list(volumeSnapshots, { namespace: bench.namespace });
    const member = items.find(({ spec }) => spec.source.persistentVolumeClaimName === "trio-a");
    expect(member).toBeDefined();
    if (member === undefined) return;
    await bench.delete(volumeSnapshots, member);
    await bench.event(
      member,
      /^Warning SnapshotDeletePending deletion of the individual .* Delete the group snapshot/u,
    );
    expect((await bench.snapshot(member.metadata.name ?? "")).metadata.deletionTimestamp).toBeDefined();
    expect(bench.bench.driver.state().groupSnapshots).toHaveLength(1);
    expect(group.status?.readyToUse).toBe(true);
  });

  it("goes with its members, and by one call", async () => {
    const group = await bench.readyGroup("trio");
    await bench.delete(volumeGroupSnapshots, group);
    await bench.gone(volumeGroupSnapshots, group);
    await vi.waitFor(async () => {
      expect((await bench.client.list(volumeSnapshots, { namespace: bench.namespace })).items).toEqual([]);
      const { items } = await bench.client.list(volumeSnapshotContents);
      expect(items.filter(({ spec }) => spec.driver === bench.bench.driverName)).toEqual([]);
    }, SOON);
    expect(bench.bench.driver.state()).toMatchObject({ groupSnapshots: [], snapshots: [] });
    expect(bench.bench.driver.calls("DeleteVolumeGroupSnapshot")).toHaveLength(1);
    expect(bench.bench.driver.calls("DeleteSnapshot")).toEqual([]);
  });

  it("leaks nothing when the answer is lost, the process ends and the group is deleted meanwhile", async () => {
    await makeClaims("crash");
    bench.bench.driver.addFault({ method: "CreateVolumeGroupSnapshot", kind: "lostReply" });
    const group = await makeGroup("crash");
    await groupFailed("crash", /failed to take group snapshot of the volumes .*Unavailable/u);
    await bench.bench.stopSidecars();
    bench.bench.driver.clearFaults();
    expect(bench.bench.driver.state().groupSnapshots).toHaveLength(1);
    await bench.delete(volumeGroupSnapshots, group);
    await bench.restart();
    await bench.gone(volumeGroupSnapshots, group);
    await vi.waitFor(
      () => expect(bench.bench.driver.state()).toMatchObject({ groupSnapshots: [], snapshots: [] }),
      SOON,
    );
  });

  it("is refused, with the reason, when no claim has the labels", async () => {
    const group = await makeGroup("nobody");
    await groupFailed(
      "nobody",
      /label selector app=nobody for group snapshot not applied to any PVC\. Label the claims/u,
    );
    await bench.event(group, /^Warning SetDefaultGroupSnapshotClassFailed /u);
    await bench.delete(volumeGroupSnapshots, group);
    await bench.gone(volumeGroupSnapshots, group);
  });

  it("waits for a restore from a member before it goes", async () => {
    const { client, namespace } = bench;
    const handles = await makeClaims("restore");
    await makeGroup("restore");
    const group = await bench.readyGroup("restore");
    const name = `snapshot-${hashOf(group, handles[0] ?? "")}`;
    await bench.ready(name);
    const restore = await client.create(persistentVolumeClaims, {
      metadata: { namespace, name: "restoring" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        resources: { requests: { storage: "1Gi" } },
        dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name },
      },
    });
    await vi.waitFor(async () => expect((await bench.claim("restoring")).status?.phase).toBe("Pending"), SOON);
    await bench.delete(volumeGroupSnapshots, group);
    await bench.event(group, /^Warning SnapshotDeletePending Snapshot .* is being used to restore a PVC/u);
    await bench.delete(persistentVolumeClaims, restore);
    await bench.gone(volumeGroupSnapshots, group);
  });
});

describe("a group that exists already", () => {
  it("is bound with the members that are written for it, and goes with them", async () => {
    const sourceVolumeIds = await makeClaims("old");
    const { groupSnapshot } = await bench.bench.deps.csi.groupController.createVolumeGroupSnapshot({
      name: "old",
      sourceVolumeIds,
    });
    const snapshots = groupSnapshot?.snapshots ?? [];
    const { namespace, client } = bench;
    await client.create(volumeGroupSnapshotContents, {
      metadata: { name: `${namespace}-old` },
      spec: {
        deletionPolicy: "Delete",
        driver: bench.bench.driverName,
        source: {
          groupSnapshotHandles: {
            volumeGroupSnapshotHandle: groupSnapshot?.groupSnapshotId ?? "",
            volumeSnapshotHandles: snapshots.map(({ snapshotId }) => snapshotId),
          },
        },
        volumeGroupSnapshotRef: { namespace, name: "old" },
      },
    });
    await makeGroup("old", { source: { volumeGroupSnapshotContentName: `${namespace}-old` } });
    const group = await bench.readyGroup("old");
    for (const [index, { snapshotId }] of snapshots.entries()) {
      await client.create(volumeSnapshotContents, {
        metadata: { name: `${namespace}-old-${index}` },
        spec: {
          deletionPolicy: "Delete",
          driver: bench.bench.driverName,
          source: { snapshotHandle: snapshotId },
          volumeSnapshotRef: { namespace, name: `old-${index}` },
        },
      });
      await bench.makeSnapshot(`old-${index}`, { source: { volumeSnapshotContentName: `${namespace}-old-${index}` } });
    }
    await vi.waitFor(async () => {
      for (const index of snapshots.keys()) {
        const member = await bench.snapshot(`old-${index}`);
        expect(member.status).toMatchObject({ readyToUse: true, volumeGroupSnapshotName: "old" });
        expect(member.metadata.ownerReferences).toMatchObject([{ uid: group.metadata.uid }]);
      }
    }, SOON);
    await bench.delete(volumeGroupSnapshots, group);
    await bench.gone(volumeGroupSnapshots, group);
    await vi.waitFor(async () => {
      expect((await client.list(volumeSnapshots, { namespace })).items).toEqual([]);
    }, SOON);
    expect(bench.bench.driver.state()).toMatchObject({ groupSnapshots: [], snapshots: [] });
  });
});

describe("a group that is not ready at once", () => {
  // One controller in a cluster: that below brings its own.
  beforeAll(() => bench.bench.stopSidecars());

  it("becomes ready together with its members, with the secret of its class", async () => {
    const key = { key: "s3cret" };
    await using here = await SnapshotBench.start({
      driver: {
        snapshotDelayMs: 1_000,
        secrets: { CreateVolumeGroupSnapshot: key, DeleteVolumeGroupSnapshot: key },
      },
    });
    const { client, namespace } = here;
    await client.create(secrets, {
      metadata: { namespace, name: "slow-secret" },
      data: { key: Buffer.from("s3cret").toString("base64") },
    });
    const className = await here.makeGroupClass("slow", {
      parameters: {
        "csi.storage.k8s.io/group-snapshotter-secret-name": "${volumegroupsnapshot.name}-secret",
        "csi.storage.k8s.io/group-snapshotter-secret-namespace": "${volumegroupsnapshot.namespace}",
      },
    });
    await Promise.all(["a", "b"].map((name) => here.makeClaim(name, { labels: { app: "slow" } })));
    await client.create(volumeGroupSnapshots, {
      metadata: { namespace, name: "slow" },
      spec: {
        source: { selector: { matchExpressions: [{ key: "app", operator: "In", values: ["slow"] }] } },
        volumeGroupSnapshotClassName: className,
      },
    });
    await vi.waitFor(async () => {
      const { status } = await client.get(volumeGroupSnapshots, { namespace, name: "slow" });
      expect(status).toMatchObject({ readyToUse: false });
      expect(status?.creationTime).toBeDefined();
    }, SOON);
    const group = await here.readyGroup("slow");
    await vi.waitFor(async () => {
      const { items } = await client.list(volumeSnapshots, { namespace });
      expect(items.map(({ status }) => status?.readyToUse)).toEqual([true, true]);
    }, SOON);
    await here.delete(volumeGroupSnapshots, group);
    await here.gone(volumeGroupSnapshots, group);
    expect(here.bench.driver.state().groupSnapshots).toEqual([]);
  });
});
