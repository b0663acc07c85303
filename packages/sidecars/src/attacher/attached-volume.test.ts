import type { VolumeAttachmentSource } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { attachedVolume } from "./attached-volume.ts";
import { attachmentOf, volumeOf } from "./fixtures/attachments.ts";

const csi = { driver: "csi.example.com", volumeHandle: "vol-2" };

function volumeFor(source: VolumeAttachmentSource, volume = volumeOf()) {
  const attachment = attachmentOf({}, { spec: { attacher: "csi.example.com", nodeName: "node-1", source } });
  return attachedVolume(attachment, (name) => (name === volume.metadata.name ? volume : undefined));
}

describe("the volume of a VolumeAttachment", () => {
  it("is that of the PersistentVolume", () => {
    expect(volumeFor({ persistentVolumeName: "pv-1" })).toMatchObject({
      csi: { volumeHandle: "vol-1" },
      persistentVolume: { metadata: { name: "pv-1" } },
    });
  });

  it("is the inline CSI volume", () => {
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce" as const], csi };
    expect(volumeFor({ inlineVolumeSpec })).toEqual({ csi, spec: inlineVolumeSpec });
  });

  test.each([
    ["both", { persistentVolumeName: "pv-1", inlineVolumeSpec: { csi } }, "inline volume as well"],
    ["neither", {}, "names no PersistentVolume"],
    [
      "a PersistentVolume that does not exist",
      { persistentVolumeName: "gone" },
      "PersistentVolume gone does not exist",
    ],
    ["an inline volume of an in-tree type", { inlineVolumeSpec: {} }, "its inline volume is not a CSI volume"],
  ])("is refused when it names %s", (_, source, why) => {
    expect(() => volumeFor(source)).toThrow(
      expect.objectContaining({ code: "VOLUME_ATTACHMENT_UNUSABLE", message: expect.stringContaining(why) }),
    );
  });

  it("is refused when the PersistentVolume is of an in-tree type", () => {
    const inTree = volumeOf({}, { csi: undefined, hostPath: { path: "/x" } });
    expect(() => volumeFor({ persistentVolumeName: "pv-1" }, inTree)).toThrow(
      "PersistentVolume pv-1 is not a CSI volume",
    );
  });
});
