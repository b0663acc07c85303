import type { CSIStorageCapacity, OwnerReference, StorageClass } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { termOf } from "../topology/index.ts";
import { capacityRequest, desiredCapacity, desiredPatch, isTracked } from "./desired-capacity.ts";

const GIB = 1024n ** 3n;
const owner: OwnerReference = { apiVersion: "apps/v1", kind: "DaemonSet", name: "d", uid: "o", controller: true };
const identity = { driverName: "d.csi", managedBy: "external-provisioner", namespace: "ns" };

describe("classes that have objects", () => {
  const waiting = { provisioner: "d.csi", volumeBindingMode: "WaitForFirstConsumer" } as const;
  const immediate = { provisioner: "d.csi", volumeBindingMode: "Immediate" } as const;

  test.each([
    ["of the driver, waiting for a Pod", waiting, false, true],
    ["of the driver, binding at once", immediate, false, false],
    ["of the driver, binding at once, when asked for", immediate, true, true],
    ["of another driver", { ...waiting, provisioner: "e.csi" }, true, false],
  ])("%s", (_what, storageClass, forImmediateBinding, expected) => {
    expect(isTracked(storageClass, { driverName: "d.csi", forImmediateBinding })).toBe(expected);
  });
});

describe("the question to the driver", () => {
  const storageClass = {
    parameters: { pool: "fast", "csi.storage.k8s.io/fstype": "xfs", csiProvisionerSecretName: "old" },
  } as unknown as StorageClass;

  test("names the place, and leaves out the parameters that are Kubernetes' own", () => {
    expect(capacityRequest(storageClass, termOf({ zone: "a" }))).toEqual({
      parameters: { pool: "fast", csiProvisionerSecretName: "old" },
      accessibleTopology: { segments: { zone: "a" } },
    });
  });

  test("names no place to a driver without any", () => {
    expect(capacityRequest(storageClass, []).accessibleTopology).toBeUndefined();
  });
});

describe("a new object", () => {
  test("says class, place and figures, and whose it is", () => {
    const item = { storageClassName: "fast", place: termOf({ zone: "a", rack: "1" }) };
    const answer = { availableCapacity: 10n * GIB, maximumVolumeSize: 1n };
    expect(desiredCapacity(item, answer, { ...identity, owner })).toEqual({
      metadata: {
        generateName: "csisc-",
        namespace: "ns",
        labels: {
          "csi.storage.k8s.io/drivername": "d.csi",
          "csi.storage.k8s.io/managed-by": "external-provisioner",
        },
        ownerReferences: [owner],
      },
      storageClassName: "fast",
      nodeTopology: { matchLabels: { zone: "a", rack: "1" } },
      capacity: "10Gi",
      maximumVolumeSize: "1",
    });
  });

  test("has no owner and no largest size when there is none, and an empty place for every node", () => {
    const object = desiredCapacity({ storageClassName: "c", place: [] }, { availableCapacity: 0n }, identity);
    expect(object).toMatchObject({ nodeTopology: { matchLabels: {} }, capacity: "0" });
    expect(object).not.toHaveProperty("maximumVolumeSize");
    expect(object.metadata).not.toHaveProperty("ownerReferences");
  });
});

describe("an object that exists", () => {
  const object = (change: Partial<CSIStorageCapacity> = {}, owners: OwnerReference[] = []): CSIStorageCapacity => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    metadata: { name: "csisc-x", resourceVersion: "7", ownerReferences: owners },
    storageClassName: "c",
    capacity: "10Gi",
    maximumVolumeSize: "1Gi",
    ...change,
  });
  const answer = { availableCapacity: 10n * GIB, maximumVolumeSize: GIB };
  const other: OwnerReference = { ...owner, uid: "other", controller: false };

  test.each([
    ["the same figures", object()],
    ["the same figures, written differently", object({ capacity: "10240Mi", maximumVolumeSize: "1073741824" })],
  ])("is not written for %s", (_what, existing) => {
    expect(desiredPatch(existing, answer, undefined)).toBeUndefined();
  });

  test("is not written for the owner that it has", () => {
    expect(desiredPatch(object({}, [other, owner]), answer, owner)).toBeUndefined();
  });

  test.each([
    ["less room", { ...answer, availableCapacity: GIB }, { capacity: "1Gi", maximumVolumeSize: "1Gi" }],
    ["a smaller largest volume", { ...answer, maximumVolumeSize: 5n }, { capacity: "10Gi", maximumVolumeSize: "5" }],
    ["no largest volume", { availableCapacity: 10n * GIB }, { capacity: "10Gi", maximumVolumeSize: null }],
  ])("is written for %s", (_what, changed, expected) => {
    expect(desiredPatch(object(), changed, undefined)).toEqual(expected);
  });

  test("is written for a largest volume that it lacks", () => {
    expect(desiredPatch(object({ maximumVolumeSize: undefined }), answer, undefined)).toMatchObject({
      maximumVolumeSize: "1Gi",
    });
  });

  test.each([
    ["no owner", []],
    ["another owner", [other]],
    ["the owner, but not as its controller", [{ ...owner, controller: false }]],
  ])("gains its owner beside the others when it has %s, if nobody changed it meanwhile", (_what, owners) => {
    expect(desiredPatch(object({}, owners), answer, owner)).toMatchObject({
      metadata: { resourceVersion: "7", ownerReferences: [...owners, owner] },
    });
  });
});
