import { isCsiCode, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { callerOf } from "./fixtures/mock-caller.ts";
import { attaching, capability, GIB, volumeNamed } from "./fixtures/requests.ts";
import { createMockDriver } from "./mock-driver.ts";
import type { MockDriverOptions } from "./options.ts";

function mock(options: Partial<MockDriverOptions> = {}) {
  const { driver, control } = createMockDriver({ nodeId: "node-1", ...options });
  const call = callerOf(driver);
  const create = async (name: string, changes: object = {}) =>
    (await call("createVolume", volumeNamed(name, changes))).volume?.volumeId ?? "";
  return { driver, control, call, create };
}

describe("creating a volume", () => {
  it("answers the same volume when the same is asked for again", async () => {
    const { create } = mock();
    expect(await create("a")).toBe(await create("a"));
  });

  it.each([
    ["a larger size", { capacityRange: { requiredBytes: 2n * GIB } }],
    ["a limit below its size", { capacityRange: { limitBytes: GIB / 2n } }],
    ["block access", { volumeCapabilities: [capability(Mode.SINGLE_NODE_WRITER, "block")] }],
    ["other parameters", { parameters: { pool: "fast" } }],
    ["other mutable parameters", { mutableParameters: { iops: "1" } }],
    ["another source", { volumeContentSource: { type: { case: "volume", value: { volumeId: "other" } } } }],
    ["another place", { accessibilityRequirements: { requisite: [{ segments: { zone: "b" } }] } }],
  ])("refuses the same name with %s", async (_what, changes) => {
    const { create } = mock({ topology: { zone: "a" } });
    await create("a");
    await expect(create("a", changes)).rejects.toSatisfy((error) => isCsiCode(error, "ALREADY_EXISTS"));
  });

  it.each([
    ["more than the largest volume", { capacityRange: { requiredBytes: 20n * GIB } }, "OUT_OF_RANGE"],
    ["more than is left", { capacityRange: { requiredBytes: 10n * GIB } }, "RESOURCE_EXHAUSTED"],
    ["an unknown mutable parameter", { mutableParameters: { colour: "red" } }, "INVALID_ARGUMENT"],
    [
      "a place that there is not",
      { accessibilityRequirements: { requisite: [{ segments: { rack: "1" } }] } },
      "RESOURCE_EXHAUSTED",
    ],
    [
      "an unknown snapshot",
      { volumeContentSource: { type: { case: "snapshot", value: { snapshotId: "x" } } } },
      "NOT_FOUND",
    ],
  ] as const)("refuses %s", async (_what, changes, code) => {
    const { create } = mock({ topology: { zone: "a" }, maxVolumeBytes: 10n * GIB, capacityBytes: 10n * GIB });
    await create("a");
    await expect(create("b", changes)).rejects.toSatisfy((error) => isCsiCode(error, code));
  });

  it("makes a copy at least as large as its source", async () => {
    const { create, call } = mock();
    const volumeContentSource = { type: { case: "volume", value: { volumeId: await create("a") } } };
    await expect(create("b", { volumeContentSource, capacityRange: { requiredBytes: 1n } })).rejects.toSatisfy(
      (error) => isCsiCode(error, "OUT_OF_RANGE"),
    );
    const { volume } = await call("createVolume", volumeNamed("c", { volumeContentSource, capacityRange: undefined }));
    expect(volume?.capacityBytes).toBe(GIB);
  });

  it("puts a volume where it is preferred", async () => {
    const { call } = mock({ topology: { zone: "a" } });
    const places = ["b", "c"].map((zone) => ({ segments: { zone, rack: "1" } }));
    const accessibilityRequirements = { requisite: places, preferred: places.toReversed() };
    const { volume } = await call("createVolume", volumeNamed("a", { accessibilityRequirements }));
    expect(volume?.accessibleTopology).toEqual([{ segments: { zone: "c" } }]);
  });
});

describe("attaching a volume", () => {
  it("gives the same answer again, and refuses another way of using it", async () => {
    const { call, create } = mock();
    const id = await create("a");
    const first = await call("controllerPublishVolume", attaching(id, "node-1"));
    expect(first.publishContext).toMatchObject({ readonly: "false" });
    expect(await call("controllerPublishVolume", attaching(id, "node-1"))).toEqual(first);
    const readonly = call("controllerPublishVolume", attaching(id, "node-1", { readonly: true }));
    await expect(readonly).rejects.toSatisfy((error) => isCsiCode(error, "ALREADY_EXISTS"));
  });

  it("names the node that has a volume which is for one node alone", async () => {
    const { call, create } = mock({ attachableNodes: "any" });
    const id = await create("a");
    await call("controllerPublishVolume", attaching(id, "node-1"));
    await expect(call("controllerPublishVolume", attaching(id, "node-2"))).rejects.toThrow(/node-1/);
    const shared = { volumeCapability: capability(Mode.MULTI_NODE_MULTI_WRITER) };
    const other = await create("b");
    await call("controllerPublishVolume", attaching(other, "node-1", shared));
    await call("controllerPublishVolume", attaching(other, "node-2", shared));
  });

  it("knows its limit for each node", async () => {
    const { call, create } = mock({ maxVolumesPerNode: 1, attachableNodes: ["node-1", "node-2"] });
    const [a, b] = [await create("a"), await create("b")];
    await call("controllerPublishVolume", attaching(a, "node-1"));
    const second = call("controllerPublishVolume", attaching(b, "node-1"));
    await expect(second).rejects.toSatisfy((error) => isCsiCode(error, "RESOURCE_EXHAUSTED"));
    await call("controllerPublishVolume", attaching(b, "node-2"));
    const unknown = call("controllerPublishVolume", attaching(a, "node-3"));
    await expect(unknown).rejects.toSatisfy((error) => isCsiCode(error, "NOT_FOUND"));
  });

  it("keeps an attached volume from being deleted, and what is gone counts as detached", async () => {
    const { call, create } = mock();
    const id = await create("a");
    await call("controllerPublishVolume", attaching(id, "node-1"));
    await expect(call("deleteVolume", { volumeId: id })).rejects.toSatisfy((error) =>
      isCsiCode(error, "FAILED_PRECONDITION"),
    );
    await call("controllerUnpublishVolume", { volumeId: id });
    await call("deleteVolume", { volumeId: id });
    await call("deleteVolume", { volumeId: id });
    await call("controllerUnpublishVolume", { volumeId: id, nodeId: "node-1" });
  });

  it("is not offered by a driver that does not attach", () => {
    const { driver } = mock({ attaches: false });
    expect(driver.controller?.controllerPublishVolume).toBeUndefined();
  });
});

describe("a driver that cannot do everything", () => {
  it.each([
    ["expand", "controllerExpandVolume"],
    ["snapshots", "createSnapshot"],
    ["modify", "controllerModifyVolume"],
  ] as const)("offers to %s only where it is told to", (ability, name) => {
    expect(mock({ abilities: [ability] }).driver.controller?.[name]).toBeDefined();
    expect(mock({ abilities: [] }).driver.controller?.[name]).toBeUndefined();
  });

  it("has neither groups nor copies, and expands nothing on nodes", () => {
    const { driver } = mock({ abilities: ["snapshots"] });
    expect(driver.groupController).toBeUndefined();
    expect(driver.node?.nodeExpandVolume).toBeUndefined();
    expect(driver.controller?.listSnapshots).toBeDefined();
    expect(driver.traits).toMatchObject({ expansion: undefined, supportsClones: false });
    expect(mock().driver.groupController).toBeDefined();
  });
});

describe("lists", () => {
  it("go on after the last volume that was told, whatever was deleted since", async () => {
    const { call, create } = mock();
    const ids = [await create("a"), await create("b"), await create("c"), await create("d")];
    const first = await call("listVolumes", { maxEntries: 2 });
    await call("deleteVolume", { volumeId: ids[2] });
    const rest = await call("listVolumes", { startingToken: first.nextToken });
    expect([...(first.entries ?? []), ...(rest.entries ?? [])].map(({ volume }) => volume?.volumeId)).toEqual([
      ids[0],
      ids[1],
      ids[3],
    ]);
    expect(rest.nextToken).toBe("");
  });

  it.each(["x", "-1", "0", "99"])("refuse the token %s, which was never given out", async (startingToken) => {
    const { call, create } = mock();
    await create("a");
    for (const name of ["listVolumes", "listSnapshots"] as const)
      await expect(call(name, { startingToken })).rejects.toSatisfy((error) => isCsiCode(error, "ABORTED"));
  });
});

describe("snapshots", () => {
  it("are ready after their delay, and not before", async () => {
    let nowMs = 1_000_000;
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: async () => {} };
    const { call, create } = mock({ clock, snapshotDelayMs: 500 });
    const request = { name: "s", sourceVolumeId: await create("a") };
    const { snapshot } = await call("createSnapshot", request);
    expect(snapshot).toMatchObject({ readyToUse: false, sizeBytes: GIB, creationTime: { seconds: 1000n } });
    const volumeContentSource = { type: { case: "snapshot", value: { snapshotId: snapshot?.snapshotId } } };
    await expect(create("b", { volumeContentSource })).rejects.toSatisfy((error) =>
      isCsiCode(error, "FAILED_PRECONDITION"),
    );
    nowMs += 500;
    expect((await call("createSnapshot", request)).snapshot).toMatchObject({ ...snapshot, readyToUse: true });
    await create("b", { volumeContentSource });
  });

  it("of a group come and go together", async () => {
    const { call, create } = mock();
    const request = { name: "g", sourceVolumeIds: [await create("a"), await create("b")] };
    const { groupSnapshot } = await call("createVolumeGroupSnapshot", request);
    expect((await call("createVolumeGroupSnapshot", request)).groupSnapshot).toEqual(groupSnapshot);
    const groupSnapshotId = groupSnapshot?.groupSnapshotId;
    const [member] = groupSnapshot?.snapshots ?? [];
    await expect(call("deleteSnapshot", { snapshotId: member?.snapshotId })).rejects.toSatisfy((error) =>
      isCsiCode(error, "INVALID_ARGUMENT"),
    );
    const wrong = call("deleteVolumeGroupSnapshot", { groupSnapshotId, snapshotIds: ["other"] });
    await expect(wrong).rejects.toSatisfy((error) => isCsiCode(error, "INVALID_ARGUMENT"));
    await call("deleteVolumeGroupSnapshot", { groupSnapshotId });
    expect((await call("listSnapshots")).entries).toEqual([]);
  });

  it("of a group are not taken when one volume is missing", async () => {
    const { call, create } = mock();
    const request = { name: "g", sourceVolumeIds: [await create("a"), "missing"] };
    await expect(call("createVolumeGroupSnapshot", request)).rejects.toSatisfy((error) =>
      isCsiCode(error, "NOT_FOUND"),
    );
    expect((await call("listSnapshots")).entries).toEqual([]);
  });
});

describe("changing a volume", () => {
  it("never makes it smaller, and tells the node to do its part", async () => {
    const { call, create } = mock();
    const volumeId = await create("a");
    const expand = (requiredBytes: bigint) =>
      call("controllerExpandVolume", { volumeId, capacityRange: { requiredBytes }, volumeCapability: capability() });
    expect(await expand(3n * GIB)).toEqual({ capacityBytes: 3n * GIB, nodeExpansionRequired: true });
    expect(await expand(2n * GIB)).toMatchObject({ capacityBytes: 3n * GIB });
    await expect(expand(10n ** 18n)).rejects.toSatisfy((error) => isCsiCode(error, "OUT_OF_RANGE"));
  });

  it("waits until an attached volume is free, if it can only be expanded offline", async () => {
    const { call, create } = mock({ expansion: "offline" });
    const volumeId = await create("a");
    await call("controllerPublishVolume", attaching(volumeId, "node-1"));
    const expanding = call("controllerExpandVolume", { volumeId, capacityRange: { requiredBytes: 2n * GIB } });
    await expect(expanding).rejects.toSatisfy((error) => isCsiCode(error, "FAILED_PRECONDITION"));
  });

  it("applies mutable parameters, all or none", async () => {
    const { call, create, control } = mock();
    const volumeId = await create("a");
    await call("controllerModifyVolume", { volumeId, mutableParameters: { iops: "5" } });
    const wrong = call("controllerModifyVolume", { volumeId, mutableParameters: { iops: "6", colour: "red" } });
    await expect(wrong).rejects.toSatisfy((error) => isCsiCode(error, "INVALID_ARGUMENT"));
    expect(control.state().volumes[0]?.mutableParameters).toEqual({ iops: "5" });
  });
});
