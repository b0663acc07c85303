import type { CSIDriver } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { CsiVolume } from "./csi-volume.ts";
import { checkLifecycleMode, isAttachWanted, isOwnershipOurs } from "./driver-rules.ts";

const driver = (spec: CSIDriver["spec"]): CSIDriver => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name: "d" },
  spec,
});
const volume = (more: Partial<CsiVolume>): CsiVolume => ({
  podVolume: "data",
  specName: "pv",
  uniqueName: "kubernetes.io/csi/d^h",
  driver: "d",
  volumeHandle: "h",
  isInline: false,
  isBlock: false,
  isReadOnly: false,
  fsType: "ext4",
  attributes: {},
  mountOptions: [],
  accessModes: ["ReadWriteOnce"],
  stageSecret: undefined,
  publishSecret: undefined,
  expandSecret: undefined,
  bound: undefined,
  ...more,
});

it("takes drivers to want their volumes attached, unless they say otherwise", () => {
  expect(isAttachWanted(undefined)).toBe(true);
  expect(isAttachWanted(driver({}))).toBe(true);
  expect(isAttachWanted(driver({ attachRequired: false }))).toBe(false);
});

it("refuses kinds of volumes that a driver does not offer", () => {
  expect(() => checkLifecycleMode(undefined, volume({}))).not.toThrow();
  expect(() => checkLifecycleMode(undefined, volume({ isInline: true }))).toThrow(
    'volume mode "Ephemeral" not supported by driver d (no CSIDriver object)',
  );
  expect(() => checkLifecycleMode(driver({ volumeLifecycleModes: ["Ephemeral"] }), volume({}))).toThrow(
    'volume mode "Persistent" not supported by driver d (only supports ["Ephemeral"])',
  );
});

describe("whether the files of a volume are given to the Pod's group here", () => {
  it.each([
    ["None", {}, false],
    ["File", { accessModes: ["ReadWriteMany"], fsType: "" }, true],
    ["File", { isReadOnly: true }, false],
    ["ReadWriteOnceWithFSType", {}, true],
    ["ReadWriteOnceWithFSType", { accessModes: ["ReadWriteOncePod"] }, true],
    ["ReadWriteOnceWithFSType", { accessModes: ["ReadWriteMany"] }, false],
    ["ReadWriteOnceWithFSType", { fsType: "" }, false],
    ["ReadWriteOnceWithFSType", { isInline: true, accessModes: undefined }, true],
  ])("by the policy %s, with %j: %s", (fsGroupPolicy, more, isOurs) => {
    expect(isOwnershipOurs(driver({ fsGroupPolicy }), volume(more))).toBe(isOurs);
  });
});
