import type { PersistentVolume, PersistentVolumeClaim } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { bindingComplaint, checkVolumeMode, claimComplaint } from "./bound-claim.ts";
import { usedVolumes } from "./pod-volume-names.ts";

const claim = (more: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "one", uid: "u1" },
  spec: { volumeName: "pv" },
  status: { phase: "Bound" },
  ...more,
});
const deleted = { name: "one", deletionTimestamp: "2026-01-01T00:00:00Z" };

describe("a claim", () => {
  it.each([
    [{}, undefined],
    [{ status: { phase: "Pending" as const } }, "PVC is not bound"],
    [{ spec: {} }, "PVC has empty pvc.Spec.VolumeName"],
    [{ metadata: deleted }, "PVC is being deleted"],
    [{ metadata: { ...deleted, finalizers: ["kubernetes.io/pvc-protection"] } }, undefined],
  ])("with %j: %s", (more, complaint) => {
    expect(claimComplaint(claim(more))).toBe(complaint);
  });
});

const volume = (spec: PersistentVolume["spec"]): PersistentVolume => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "pv" },
  ...(spec && { spec }),
});

describe("what a claim is bound to", () => {
  it("must be bound to it", () => {
    expect(bindingComplaint(volume({ claimRef: { uid: "u1" } }), claim())).toBeUndefined();
    expect(bindingComplaint(volume({}), claim())).toBe(
      "found PV object pv but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim",
    );
    expect(bindingComplaint(volume({ claimRef: { uid: "u2" } }), claim())).toBe(
      "found PV object pv but its pv.Spec.ClaimRef.UID u2 does not point to claim.UID u1",
    );
  });

  it("must be used as what it is", () => {
    const used = usedVolumes({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {},
      spec: {
        initContainers: [{ name: "a", volumeMounts: [{ name: "files", mountPath: "/f" }] }],
        containers: [{ name: "b", volumeDevices: [{ name: "raw", devicePath: "/dev/r" }] }],
      },
    });
    expect(() => checkVolumeMode("files", volume({}), used)).not.toThrow();
    expect(() => checkVolumeMode("raw", volume({ volumeMode: "Block" }), used)).not.toThrow();
    expect(() => checkVolumeMode("raw", volume({}), used)).toThrow(
      "volume raw has volumeMode Filesystem, but is specified in volumeDevices",
    );
  });
});
