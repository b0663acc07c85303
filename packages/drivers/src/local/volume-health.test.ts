import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ControllerServiceCapability_RPC_Type as ControllerRpc,
  VolumeHealthErrorType as Health,
  PluginCapability_Service_Type as Service,
  StorageHealthErrorType as StorageHealth,
} from "@stowage/csi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DriverUnderTest, mountCapability } from "./fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish } from "./fixtures/volume-user.ts";

const driverOptions = { contents: "directory", gate13: true } as const;

let subject: DriverUnderTest;
beforeEach(async () => {
  subject = await DriverUnderTest.started(driverOptions);
});
afterEach(() => subject[Symbol.asyncDispose]());

const reasonsOf = async (volumeId: string) => {
  const { volumeHealth } = await subject.client.controller.controllerGetVolumeHealth({ volumeId });
  return volumeHealth?.healthStatuses.map(({ status, reason }) => [Health[status], reason]);
};

// Directories, which need no root; what breaks below a mount is in volume-health.root.test.ts.
describe("the health of a volume", () => {
  it("is told for those that ail, a page at a time", async () => {
    const ids = [await createVolume(subject, "a"), await createVolume(subject, "b"), await createVolume(subject, "c")];
    const [well = "", ...ailing] = ids.sort();
    for (const id of ailing) rmSync(join(subject.stateDir, "contents/volumes", id), { recursive: true });
    const first = await subject.client.controller.controllerListVolumeHealth({ maxEntries: 1 });
    const startingToken = first.nextToken;
    const second = await subject.client.controller.controllerListVolumeHealth({ maxEntries: 1, startingToken });
    expect([...first.entries, ...second.entries].map(({ volumeId }) => volumeId)).toEqual(ailing);
    expect(second.nextToken).toBe("");
    expect(await reasonsOf(well)).toEqual([]);
    const stranger = await failureOf(subject.client.controller.controllerListVolumeHealth({ startingToken: "7" }));
    expect(stranger.code).toBe("ABORTED");
  });

  it("is lost where something else lies in place of its directory", async () => {
    const volumeId = await createVolume(subject, "v");
    const path = join(subject.stateDir, "contents/volumes", volumeId);
    rmSync(path, { recursive: true });
    writeFileSync(path, "");
    expect(await reasonsOf(volumeId)).toEqual([["DATA_LOSS", "ContentMissing"]]);
  });

  it("is inaccessible where its state file is damaged, and the message says what to do", async () => {
    const volumeId = await createVolume(subject, "v");
    await subject.stop();
    writeFileSync(join(subject.stateDir, "volumes", `${volumeId}.json`), "");
    await subject.start(driverOptions);
    expect(await reasonsOf(volumeId)).toEqual([["INACCESSIBLE", "StateFileDamaged"]]);
    const { volumeHealth } = await subject.client.node.nodeGetVolumeHealth({ volumeId });
    expect(volumeHealth?.healthStatuses[0]?.message).toContain("Put a whole state file at");
  });

  it("is inaccessible on the node where its link is gone", async () => {
    const volumeId = await createVolume(subject, "v");
    const volumePublishPath = await publish(subject, volumeId, { capability: mountCapability() });
    const request = { volumeId, volumePublishPath, stagingTargetPath: subject.at(`stage-${volumeId}`) };
    const reasons = async () =>
      (await subject.client.node.nodeGetVolumeHealth(request)).volumeHealth?.healthStatuses.map(({ reason }) => reason);
    expect(await reasons()).toEqual([]);
    rmSync(volumePublishPath);
    expect(await reasons()).toEqual(["NotPublished"]);
  });

  it("is not told of one that is just being deleted", async () => {
    const volumeId = await createVolume(subject, "v");
    await subject.stop();
    const [contentIsGone, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const faultPoint = async (name: string) => {
      if (name !== "file:removed") return;
      contentIsGone.resolve();
      await mayGoOn.promise;
    };
    await subject.start({ ...driverOptions, faultPoint });
    const deleted = subject.client.controller.deleteVolume({ volumeId });
    await contentIsGone.promise;
    const listed = subject.client.controller.controllerListVolumeHealth({});
    // It takes longer, so that the list has had its first look.
    await subject.client.node.nodeGetStorageHealth({});
    mayGoOn.resolve();
    expect((await listed).entries).toEqual([]);
    await deleted;
  });

  it("of an unknown one is NOT_FOUND", async () => {
    const request = { volumeId: "vol-unknown" };
    expect((await failureOf(subject.client.controller.controllerGetVolumeHealth(request))).code).toBe("NOT_FOUND");
    expect((await failureOf(subject.client.node.nodeGetVolumeHealth(request))).code).toBe("NOT_FOUND");
  });
});

describe("the health of the node's storage", () => {
  it("is unreachable without its directory, and good again with it", async () => {
    const health = async () => {
      const { backendHealth } = await subject.client.node.nodeGetStorageHealth({});
      return backendHealth.map(({ status, reason }) => [StorageHealth[status], reason]);
    };
    renameSync(subject.stateDir, join(subject.folder, "away"));
    mkdirSync(subject.stateDir);
    expect(await health()).toEqual([["STORAGE_UNREACHABLE", "StateDirectoryUnreachable"]]);
    rmSync(subject.stateDir, { recursive: true });
    renameSync(join(subject.folder, "away"), subject.stateDir);
    expect(await health()).toEqual([]);
  });
});

describe("the place of a snapshot", () => {
  const place = (node: string) => ({ segments: { "topology.local.csi.stowage.dev/node": node } });

  it("is this node, and is told where the caller left it open", async () => {
    const sourceVolumeId = await createVolume(subject, "v");
    const accessibilityRequirements = { requisite: [place("node-1"), place("node-2")] };
    const request = { name: "s", sourceVolumeId, accessibilityRequirements };
    const { snapshot } = await subject.client.controller.createSnapshot(request);
    const { snapshot: seen } = await subject.client.controller.getSnapshot({ snapshotId: snapshot?.snapshotId ?? "" });
    for (const one of [snapshot, seen]) expect(one?.accessibleTopology).toMatchObject([place("node-1")]);
  });

  it("cannot be another node", async () => {
    const sourceVolumeId = await createVolume(subject, "v");
    const accessibilityRequirements = { requisite: [place("node-2")] };
    const request = { name: "s", sourceVolumeId, accessibilityRequirements };
    const refused = await failureOf(subject.client.controller.createSnapshot(request));
    expect(refused).toMatchObject({ code: "RESOURCE_EXHAUSTED", message: expect.stringContaining("node-2") });
    expect((await subject.client.controller.listSnapshots({})).entries).toEqual([]);
  });
});

describe("what CSI 1.13 adds", () => {
  it("is offered with the switch only, and without it volumes have conditions", async () => {
    const offers = async () => {
      const { capabilities: ofPlugin } = await subject.client.identity.getPluginCapabilities({});
      const { capabilities } = await subject.client.controller.controllerGetCapabilities({});
      const volumeId = await createVolume(subject, "v");
      const { status } = await subject.client.controller.controllerGetVolume({ volumeId });
      const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId: volumeId });
      return {
        hasSnapshotPlace: ofPlugin.some(
          ({ type }) => type.case === "service" && type.value.type === Service.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
        ),
        hasHealth: capabilities.some(
          ({ type }) => type.case === "rpc" && type.value.type === ControllerRpc.LIST_VOLUME_HEALTH,
        ),
        hasCondition: status?.volumeCondition !== undefined,
        places: snapshot?.accessibleTopology.length,
      };
    };
    expect(await offers()).toEqual({ hasSnapshotPlace: true, hasHealth: true, hasCondition: false, places: 1 });
    await subject.stop();
    await subject.start({ contents: "directory" });
    expect(await offers()).toEqual({ hasSnapshotPlace: false, hasHealth: false, hasCondition: true, places: 0 });
  });
});
