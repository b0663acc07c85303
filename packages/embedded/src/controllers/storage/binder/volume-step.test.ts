import { bindingAnnotations, type PersistentVolumeSpec, provisioningAnnotations } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { claim, refTo, volume } from "../fixtures/storage-objects.ts";
import { desiredVolumeStep, isReleased, reclaimFailure } from "./volume-step.ts";

const data = claim("data");
const has = (volumeName: string) => claim("data", { spec: { volumeName } });
const bound = (spec: PersistentVolumeSpec = {}, annotations = {}) =>
  volume("pv", { metadata: { name: "pv", annotations }, spec: { claimRef: refTo(data), ...spec } });

describe("a volume", () => {
  it("is available while it names no claim, or one by name alone", () => {
    expect(desiredVolumeStep(volume("pv"), undefined)).toEqual({ step: "mark", phase: "Available" });
    const reserved = volume("pv", { spec: { claimRef: { name: "data", namespace: "shop" } } });
    expect(desiredVolumeStep(reserved, undefined)).toEqual({ step: "mark", phase: "Available" });
  });

  it("is bound when its claim names it", () => {
    expect(desiredVolumeStep(bound(), has("pv"))).toEqual({ step: "mark", phase: "Bound" });
  });

  it("wakes its claim when that names none, unless the two can never fit", () => {
    expect(desiredVolumeStep(bound(), data)).toEqual({ step: "awaken" });
    expect(desiredVolumeStep(bound({ volumeMode: "Block" }), data)).toEqual({ step: "refuse" });
  });

  it("is released when its claim is gone", () => {
    expect(desiredVolumeStep(bound(), undefined)).toEqual({ step: "release" });
  });

  it("lets its claim go when that has another volume, and goes itself when it was made for it", () => {
    expect(desiredVolumeStep(bound(), has("other"))).toEqual({ step: "unbind" });
    const made = { [provisioningAnnotations.provisionedBy]: "csi.example.org" };
    expect(desiredVolumeStep(bound({}, made), has("other"))).toEqual({ step: "unbind" });
    const toDelete = { persistentVolumeReclaimPolicy: "Delete" } as const;
    expect(desiredVolumeStep(bound(toDelete, made), has("other"))).toEqual({ step: "release" });
  });
});

it("counts a failed volume as released: the failure is not to be overwritten", () => {
  const phases = ["Pending", "Available", "Bound", "Released", "Failed"] as const;
  expect(phases.filter((phase) => isReleased(volume("pv", { status: { phase } })))).toEqual(["Released", "Failed"]);
});

describe("reclaiming", () => {
  const left = (spec: PersistentVolumeSpec, annotations = {}) =>
    reclaimFailure(volume("pv", { metadata: { name: "pv", annotations }, spec }));
  const toDelete = { persistentVolumeReclaimPolicy: "Delete" } as const;
  const nfs = { server: "nfs.example.org", path: "/" };

  it("leaves retained volumes, and those that a driver deletes", () => {
    expect(left({ persistentVolumeReclaimPolicy: "Retain" })).toBeUndefined();
    expect(left(toDelete)).toBeUndefined();
    const made = { [provisioningAnnotations.provisionedBy]: "nfs.example.org" };
    expect(left({ ...toDelete, csi: undefined, nfs }, made)).toBeUndefined();
    expect(left({ ...toDelete, csi: undefined }, { [bindingAnnotations.migratedTo]: "csi" })).toBeUndefined();
  });

  it.each([
    [
      'error getting deleter volume plugin for volume "pv": no deletable volume plugin matched',
      { ...toDelete, csi: undefined, nfs },
      {},
    ],
    [
      'error getting deleter volume plugin for volume "pv": no volume plugin matched',
      { ...toDelete, csi: undefined, local: { path: "/disk" } },
      {},
    ],
    [
      "no volume plugin matched name: kubernetes.io/old",
      toDelete,
      { [provisioningAnnotations.provisionedBy]: "kubernetes.io/old" },
    ],
  ])("fails where nobody deletes: %s", (message, spec, annotations) => {
    expect(left(spec, annotations)).toEqual({ reason: "VolumeFailedDelete", message });
  });

  it("fails where nobody recycles, and where nobody knows what is meant", () => {
    const message = "No recycler plugin found for the volume!";
    expect(left({ persistentVolumeReclaimPolicy: "Recycle" })).toEqual({ reason: "VolumeFailedRecycle", message });
    expect(left({ persistentVolumeReclaimPolicy: undefined })?.reason).toBe("VolumeUnknownReclaimPolicy");
  });
});
