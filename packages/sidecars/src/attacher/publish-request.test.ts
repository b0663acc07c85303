import { type ControllerCapabilityName, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import type { PersistentVolumeSpec } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { volumeOf } from "./fixtures/attachments.ts";
import { publishRequest } from "./publish-request.ts";

const csi = { driver: "csi.example.com", volumeHandle: "vol-1" };

function requestFor(spec: Partial<PersistentVolumeSpec>, ...capabilities: ControllerCapabilityName[]) {
  const volume = volumeOf({}, spec);
  return publishRequest(
    { csi: volume.spec?.csi ?? csi, spec: volume.spec ?? {} },
    { controller: new Set(capabilities) },
    { nodeId: "n-1", secrets: { key: "s" }, defaultFsType: "ext4" },
  );
}

describe("the request to publish a volume", () => {
  it("names volume and node, with the volume's attributes and the secrets", () => {
    const spec = { csi: { ...csi, volumeAttributes: { a: "1" } } };
    expect(requestFor(spec)).toMatchObject({
      volumeId: "vol-1",
      nodeId: "n-1",
      volumeContext: { a: "1" },
      secrets: { key: "s" },
      readonly: false,
    });
  });

  test.each([
    [false, false, false],
    [false, true, false],
    [true, false, false],
    [true, true, true],
  ])(
    "for a volume that is read-only: %s, and a driver with PUBLISH_READONLY: %s, has readonly %s",
    (readOnly, can, is) => {
      const request = requestFor({ csi: { ...csi, readOnly } }, ...(can ? (["PUBLISH_READONLY"] as const) : []));
      expect(request.readonly).toBe(is);
    },
  );

  test.each([
    ["xfs", "xfs"],
    [undefined, "ext4"],
    ["", "ext4"],
  ])("for a volume of file system %j asks for %j", (fsType, asked) => {
    const request = requestFor({ csi: { ...csi, fsType }, mountOptions: ["ro"] });
    expect(request.volumeCapability).toMatchObject({
      accessType: { case: "mount", value: { fsType: asked, mountFlags: ["ro"] } },
    });
  });

  it("asks for a block volume without a file system", () => {
    expect(requestFor({ volumeMode: "Block" }).volumeCapability).toMatchObject({ accessType: { case: "block" } });
  });

  test.each([
    [["ReadWriteOnce"], false, Mode.SINGLE_NODE_WRITER],
    [["ReadWriteOncePod"], false, Mode.SINGLE_NODE_WRITER],
    [["ReadWriteOnce"], true, Mode.SINGLE_NODE_MULTI_WRITER],
    [["ReadWriteOncePod"], true, Mode.SINGLE_NODE_SINGLE_WRITER],
    [["ReadOnlyMany"], true, Mode.MULTI_NODE_READER_ONLY],
    [["ReadWriteMany", "ReadOnlyMany"], true, Mode.MULTI_NODE_MULTI_WRITER],
  ] as const)(
    "merges the access modes %j, to a driver that tells writers apart: %s, into %s",
    (accessModes, tells, mode) => {
      const request = requestFor(
        { accessModes: [...accessModes] },
        ...(tells ? (["SINGLE_NODE_MULTI_WRITER"] as const) : []),
      );
      expect(request.volumeCapability).toMatchObject({ accessMode: { mode } });
    },
  );

  it("cannot be made for access modes that have no common one", () => {
    expect(() => requestFor({ accessModes: ["ReadWriteOnce", "ReadOnlyMany"] })).toThrow(
      expect.objectContaining({ code: "ACCESS_MODES_UNSUPPORTED" }),
    );
  });
});
