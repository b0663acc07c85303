import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ControllerServiceCapability_RPC_Type,
  CreateVolumeRequestSchema,
  ListVolumesResponseSchema,
  NodePublishVolumeRequestSchema,
  NodeServiceCapability_RPC_Type,
  PluginCapability_Service_Type,
  ProbeResponseSchema,
  SnapshotSchema,
  VolumeCapability_AccessMode_Mode,
} from "../generated/csi_pb.js";
import { PluginInfoSchema, RegistrationStatusSchema } from "../generated/pluginregistration_pb.js";

/** Bytes by hand: each field is its number and wire type (0 varint, 2 with a length), then its value. */
const varint = (field: number, value: number) => [...encodeVarint(field * 8), ...encodeVarint(value)];
const bytes = (field: number, content: readonly number[]) => [
  ...encodeVarint(field * 8 + 2),
  ...encodeVarint(content.length),
  ...content,
];
const text = (field: number, value: string) => bytes(field, [...new TextEncoder().encode(value)]);
const entry = (field: number, key: string, value: string) => bytes(field, [...text(1, key), ...text(2, value)]);

function encodeVarint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeVarint(Math.floor(value / 128))];
}

describe("a message on the wire", () => {
  it("is what the published protocol says: CreateVolumeRequest", () => {
    const mode = VolumeCapability_AccessMode_Mode.SINGLE_NODE_MULTI_WRITER;
    const message = create(CreateVolumeRequestSchema, {
      name: "pvc-1",
      capacityRange: { requiredBytes: 300n, limitBytes: 2n ** 33n },
      volumeCapabilities: [
        { accessType: { case: "mount", value: { fsType: "ext4", mountFlags: ["ro"] } }, accessMode: { mode } },
      ],
      parameters: { a: "b" },
      secrets: { k: "s" },
      volumeContentSource: { type: { case: "volume", value: { volumeId: "src" } } },
      accessibilityRequirements: { preferred: [{ segments: { zone: "z1" } }] },
      mutableParameters: { iops: "9" },
    });
    const wire = [
      ...text(1, "pvc-1"),
      ...bytes(2, [...varint(1, 300), ...varint(2, 2 ** 33)]),
      ...bytes(3, [...bytes(2, [...text(1, "ext4"), ...text(2, "ro")]), ...bytes(3, varint(1, 7))]),
      ...entry(4, "a", "b"),
      ...entry(5, "k", "s"),
      ...bytes(6, bytes(2, text(1, "src"))),
      ...bytes(7, bytes(2, entry(1, "zone", "z1"))),
      ...entry(8, "iops", "9"),
    ];
    expect([...toBinary(CreateVolumeRequestSchema, message)]).toEqual(wire);
    expect(fromBinary(CreateVolumeRequestSchema, Uint8Array.from(wire))).toEqual(message);
  });

  it("is what the published protocol says: NodePublishVolumeRequest", () => {
    const wire = [
      ...text(1, "v"),
      ...entry(2, "p", "q"),
      ...text(3, "/stage"),
      ...text(4, "/target"),
      ...bytes(5, [...bytes(1, []), ...bytes(3, varint(1, 1))]),
      ...varint(6, 1),
      ...entry(7, "k", "s"),
      ...entry(8, "c", "d"),
    ];
    const message = fromBinary(NodePublishVolumeRequestSchema, Uint8Array.from(wire));
    expect(message).toMatchObject({
      volumeId: "v",
      publishContext: { p: "q" },
      stagingTargetPath: "/stage",
      targetPath: "/target",
      volumeCapability: { accessType: { case: "block" }, accessMode: { mode: 1 } },
      readonly: true,
      secrets: { k: "s" },
      volumeContext: { c: "d" },
    });
    expect([...toBinary(NodePublishVolumeRequestSchema, message)]).toEqual(wire);
  });

  it("keeps the condition of a volume, which version 1.13 dropped", () => {
    const condition = bytes(2, [...varint(1, 1), ...text(2, "gone")]);
    const wire = bytes(1, [...bytes(1, text(2, "v")), ...bytes(2, [...text(1, "node"), ...condition])]);
    const { entries } = fromBinary(ListVolumesResponseSchema, Uint8Array.from(wire));
    expect(entries[0]).toMatchObject({
      volume: { volumeId: "v" },
      status: { publishedNodeIds: ["node"], volumeCondition: { abnormal: true, message: "gone" } },
    });
  });

  it("reads a snapshot with the topology that version 1.13 added", () => {
    const wire = [
      ...varint(1, 5),
      ...text(2, "s"),
      ...text(3, "v"),
      ...bytes(4, varint(1, 1_700_000_000)),
      ...varint(5, 1),
      ...text(6, "group"),
      ...bytes(7, entry(1, "zone", "z1")),
    ];
    expect(fromBinary(SnapshotSchema, Uint8Array.from(wire))).toMatchObject({
      sizeBytes: 5n,
      snapshotId: "s",
      sourceVolumeId: "v",
      creationTime: { seconds: 1_700_000_000n },
      readyToUse: true,
      groupSnapshotId: "group",
      accessibleTopology: [{ segments: { zone: "z1" } }],
    });
  });

  it("tells an unset answer to a probe from one that says no", () => {
    expect(fromBinary(ProbeResponseSchema, new Uint8Array()).ready).toBeUndefined();
    expect(fromBinary(ProbeResponseSchema, Uint8Array.from(bytes(1, []))).ready).toBe(false);
    expect(fromBinary(ProbeResponseSchema, Uint8Array.from(bytes(1, varint(1, 1)))).ready).toBe(true);
  });

  it("has the numbers of the capabilities, of both versions", () => {
    expect(ControllerServiceCapability_RPC_Type).toMatchObject({
      CREATE_DELETE_VOLUME: 1,
      EXPAND_VOLUME: 9,
      VOLUME_CONDITION: 11,
      MODIFY_VOLUME: 14,
      GET_SNAPSHOT: 15,
      LIST_VOLUME_HEALTH: 17,
    });
    expect(NodeServiceCapability_RPC_Type).toMatchObject({
      VOLUME_CONDITION: 4,
      VOLUME_MOUNT_GROUP: 6,
      GET_STORAGE_HEALTH: 8,
    });
    expect(PluginCapability_Service_Type).toMatchObject({ SNAPSHOT_ACCESSIBILITY_CONSTRAINTS: 5 });
  });

  it("is what kubelet expects of a registration", () => {
    const info = { type: "CSIPlugin", name: "d", endpoint: "/s", supportedVersions: ["1.0.0"] };
    expect([...toBinary(PluginInfoSchema, create(PluginInfoSchema, info))]).toEqual([
      ...text(1, "CSIPlugin"),
      ...text(2, "d"),
      ...text(3, "/s"),
      ...text(4, "1.0.0"),
    ]);
    const wire = [...varint(1, 1), ...text(2, "why")];
    expect(fromBinary(RegistrationStatusSchema, Uint8Array.from(wire))).toMatchObject({
      pluginRegistered: true,
      error: "why",
    });
  });
});
