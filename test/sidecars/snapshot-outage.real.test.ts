import { randomUUID } from "node:crypto";
import {
  type KubernetesObject,
  type PersistentVolume,
  type ResourceType,
  snapshotFinalizers,
  type VolumeSnapshotContent,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { SnapshotBench, SOON } from "./snapshot-bench.ts";
import { ContentOutage } from "./snapshot-outage.ts";

const outage = new ContentOutage();
let bench: SnapshotBench;
let className: string;
let groupClassName: string;

beforeAll(async () => {
  bench = await SnapshotBench.start({ between: outage.between });
  className = await bench.makeClass("class");
  groupClassName = await bench.makeGroupClass("class");
});

afterEach(() => {
  outage.end();
  outage.beforeContent = undefined;
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

async function makeSnapshot(name: string) {
  await bench.makeClaim(name);
  return await bench.makeSnapshot(name, {
    source: { persistentVolumeClaimName: name },
    volumeSnapshotClassName: className,
  });
}

async function makeGroup(name: string) {
  await bench.makeClaim(name, { labels: { app: name } });
  return await bench.client.create(volumeGroupSnapshots, {
    metadata: { namespace: bench.namespace, name },
    spec: {
      source: { selector: { matchLabels: { app: name } } },
      volumeGroupSnapshotClassName: groupClassName,
    },
  });
}

/** Waits until the API server has it. */
async function found<T extends KubernetesObject>(type: ResourceType<T>, name: string): Promise<T> {
  return await vi.waitFor(async () => await bench.client.get(type, { name }), SOON);
}

async function beingDeleted<T extends KubernetesObject>(type: ResourceType<T>, { metadata }: T): Promise<void> {
  await vi.waitFor(async () => {
    const object = await bench.client.get(type, { name: metadata.name ?? "" });
    expect(object.metadata.deletionTimestamp).toBeDefined();
  }, SOON);
}

describe("a content whose making nobody heard of", () => {
  it("goes with its snapshot", async () => {
    outage.begin();
    const snapshot = await makeSnapshot("unheard");
    const content = await found(volumeSnapshotContents, `snapcontent-${snapshot.metadata.uid}`);
    await bench.delete(volumeSnapshots, snapshot);
    await beingDeleted(volumeSnapshotContents, content);
    outage.end();
    await bench.gone(volumeSnapshotContents, content);
    await bench.gone(volumeSnapshots, snapshot);
    expect(bench.storedSnapshots()).toEqual([]);
  });

  it("does not hold its snapshot up when nobody hears of its end either", async () => {
    outage.begin();
    const snapshot = await makeSnapshot("unheard-end");
    const content = await found(volumeSnapshotContents, `snapcontent-${snapshot.metadata.uid}`);
    await bench.delete(volumeSnapshots, snapshot);
    await beingDeleted(volumeSnapshotContents, content);
    // As the sidecar of a driver elsewhere does it.
    const patch = { metadata: { finalizers: [] } };
    await bench.client.patch(volumeSnapshotContents, { name: content.metadata.name ?? "" }, { type: "merge", patch });
    await bench.gone(volumeSnapshots, snapshot);
  });

  it("goes with its group", async () => {
    outage.begin();
    const group = await makeGroup("unheard-group");
    const content = await found(volumeGroupSnapshotContents, `groupsnapcontent-${group.metadata.uid}`);
    await bench.delete(volumeGroupSnapshots, group);
    await beingDeleted(volumeGroupSnapshotContents, content);
    outage.end();
    await bench.gone(volumeGroupSnapshotContents, content);
    await bench.gone(volumeGroupSnapshots, group);
    expect(bench.storedSnapshots()).toEqual([]);
  });
});

describe("a content that comes when its snapshot is gone", () => {
  /** Like one that the snapshot controller makes. */
  async function makeContent({ metadata: { name }, spec }: PersistentVolume, fieldManager: string) {
    const uid = randomUUID();
    const content = {
      metadata: { name: `snapcontent-${uid}`, finalizers: [snapshotFinalizers.content] },
      spec: {
        deletionPolicy: "Delete" as const,
        driver: bench.bench.driverName,
        source: { volumeHandle: spec?.csi?.volumeHandle },
        volumeSnapshotClassName: className,
        volumeSnapshotRef: { kind: "VolumeSnapshot", namespace: bench.namespace, name, uid },
      },
    };
    return await bench.client.create(volumeSnapshotContents, content, { fieldManager });
  }

  it("goes too, if the snapshot was deleted past its new finalizers", async () => {
    const isThrough = Promise.withResolvers<void>();
    const isGone = Promise.withResolvers<void>();
    outage.beforeContent = async () => {
      isThrough.resolve();
      await isGone.promise;
    };
    const snapshot = await makeSnapshot("past");
    await isThrough.promise;
    // What the API server does to a deletion that it began before the finalizers came.
    await bench.delete(volumeSnapshots, snapshot);
    const ref = { namespace: bench.namespace, name: "past" };
    await bench.client.patch(volumeSnapshots, ref, { type: "merge", patch: { metadata: { finalizers: [] } } });
    await bench.gone(volumeSnapshots, snapshot);
    isGone.resolve();
    const content = { metadata: { name: `snapcontent-${snapshot.metadata.uid}` } } as VolumeSnapshotContent;
    await vi.waitFor(() => expect(outage.made).toContain(content.metadata.name), SOON);
    await bench.gone(volumeSnapshotContents, content);
    expect(bench.storedSnapshots()).not.toContain(`snapshot-${snapshot.metadata.uid}`);
  });

  it("goes too, if it was on its way when the last process ended", async () => {
    const content = await makeContent(await bench.makeVolume("late"), "stowage-snapshot-controller");
    await bench.gone(volumeSnapshotContents, content);
  });

  it("goes too, if the last process ended before it saw that", async () => {
    const volume = await bench.makeVolume("unseen");
    await bench.bench.stopSidecars();
    const content = await makeContent(volume, "stowage-snapshot-controller");
    await bench.restart();
    await bench.gone(volumeSnapshotContents, content);
  });

  it("stays, if somebody else made it: it may have been brought from elsewhere", async () => {
    const content = await makeContent(await bench.makeVolume("brought"), "kubectl-client-side-apply");
    await bench.restart();
    // All that was there at the start has been looked at when what comes later is done.
    await makeSnapshot("after");
    await bench.ready("after");
    const { metadata } = await bench.client.get(volumeSnapshotContents, { name: content.metadata.name ?? "" });
    expect(metadata.deletionTimestamp).toBeUndefined();
  });
});
