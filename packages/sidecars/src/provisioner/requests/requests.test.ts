import { VolumeCapability_AccessMode_Mode as Mode, type Volume } from "@stowage/csi";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, StorageClass } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { desiredCreateRequest } from "./create-request.ts";
import { desiredPersistentVolume } from "./persistent-volume.ts";
import { volumeNameOf } from "./volume-name.ts";
import { desiredVolumeTemplate } from "./volume-template.ts";

const UID = "12345678-9abc-def0-1234-56789abcdef0";

function claimWith(spec: PersistentVolumeClaimSpec = {}): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: "team", name: "data", uid: UID, resourceVersion: "7" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "fast",
      resources: { requests: { storage: "2Gi" } },
      ...spec,
    },
  };
}

function classWith(changes: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "d.csi",
    reclaimPolicy: "Delete",
    ...changes,
  };
}

const settings = {
  defaultFsType: "",
  extraCreateMetadata: false,
  controllerPublishReadOnly: false,
  identity: "1-2-d.csi",
};
const driver = { controller: new Set(["SINGLE_NODE_MULTI_WRITER"] as const) };

function requestFor(spec: PersistentVolumeClaimSpec, changes?: Partial<StorageClass>, more = {}) {
  const subject = { claim: claimWith(spec), storageClass: classWith(changes), volumeName: "pvc-1", driver };
  return desiredCreateRequest(subject, { ...settings, ...more });
}

function volumeFor(spec: PersistentVolumeClaimSpec, changes?: Partial<StorageClass>, more = {}) {
  const subject = {
    claim: claimWith(spec),
    storageClass: classWith(changes),
    volumeName: "pvc-1",
    driverName: "d.csi",
  };
  const answer = { volumeId: "v", capacityBytes: 0n, volumeContext: { a: "b" }, accessibleTopology: [] };
  return desiredPersistentVolume(desiredVolumeTemplate(subject, { ...settings, ...more }), answer, 2n ** 31n);
}

describe("the name of a volume", () => {
  it.each([
    ["pvc", -1, `pvc-${UID}`],
    ["disk", -1, `disk-${UID}`],
    ["pvc", 10, "pvc-123456789a"],
    ["pvc", 32, `pvc-${UID.replaceAll("-", "")}`],
    ["pvc", 0, "pvc-"],
  ])("with the prefix %s and the length %i is %s", (volumeNamePrefix, volumeNameUuidLength, expected) => {
    expect(volumeNameOf(UID, { volumeNamePrefix, volumeNameUuidLength })).toBe(expected);
  });
});

describe("CreateVolume", () => {
  it("is told the size, one capability for each access mode, and what the class says", () => {
    const request = requestFor(
      { accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] },
      { parameters: { type: "ssd" }, mountOptions: ["noatime"] },
      { defaultFsType: "ext4" },
    );
    const mount = { case: "mount", value: { fsType: "ext4", mountFlags: ["noatime"] } };
    expect(request).toEqual({
      name: "pvc-1",
      parameters: { type: "ssd" },
      capacityRange: { requiredBytes: 2n ** 31n },
      volumeCapabilities: [
        { accessMode: { mode: Mode.SINGLE_NODE_SINGLE_WRITER }, accessType: mount },
        { accessMode: { mode: Mode.MULTI_NODE_READER_ONLY }, accessType: mount },
      ],
    });
  });

  it("is told of block volumes without a file system", () => {
    const request = requestFor({ volumeMode: "Block" }, { mountOptions: ["noatime"] }, { defaultFsType: "ext4" });
    expect(request.volumeCapabilities?.[0]?.accessType).toEqual({ case: "block", value: {} });
  });

  it("is told of the claim only when asked to", () => {
    expect(requestFor({}, {}, { extraCreateMetadata: true }).parameters).toEqual({
      "csi.storage.k8s.io/pvc/name": "data",
      "csi.storage.k8s.io/pvc/namespace": "team",
      "csi.storage.k8s.io/pv/name": "pvc-1",
    });
    expect(requestFor({}).parameters).toEqual({});
  });

  it("is not asked for a claim that selects existing volumes, and the claim says what to do", () => {
    const refuse = () => requestFor({ selector: { matchLabels: { a: "b" } } });
    expect(refuse).toThrow(
      expect.objectContaining({ code: "CLAIM_UNSUPPORTED", nextStep: expect.stringContaining("selector") }),
    );
  });
});

describe("the PV", () => {
  it("is bound to its claim, and says which run made it and which Secret deletes it", () => {
    const volume = volumeFor({});
    expect(volume).toEqual({
      metadata: {
        name: "pvc-1",
        annotations: {
          "pv.kubernetes.io/provisioned-by": "d.csi",
          "volume.kubernetes.io/provisioner-deletion-secret-name": "",
          "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
        },
        finalizers: ["external-provisioner.volume.kubernetes.io/finalizer"],
      },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "2Gi" },
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName: "fast",
        claimRef: {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          namespace: "team",
          name: "data",
          uid: UID,
          resourceVersion: "7",
        },
        csi: {
          driver: "d.csi",
          volumeHandle: "v",
          volumeAttributes: { "storage.kubernetes.io/csiProvisionerIdentity": "1-2-d.csi", a: "b" },
        },
      },
    });
  });

  it("has no finalizer when its volume is to be kept", () => {
    expect(volumeFor({}, { reclaimPolicy: "Retain" }).metadata.finalizers).toBeUndefined();
  });

  it.each<[string, PersistentVolumeClaimSpec, boolean, boolean | undefined]>([
    ["for readers on many nodes, when asked to", { accessModes: ["ReadOnlyMany"] }, true, true],
    ["not when not asked to", { accessModes: ["ReadOnlyMany"] }, false, undefined],
    ["not when it can be written too", { accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }, true, undefined],
  ])("is attached read-only %s", (_what, spec, controllerPublishReadOnly, expected) => {
    expect(volumeFor(spec, {}, { controllerPublishReadOnly }).spec?.csi?.readOnly).toBe(expected);
  });

  it.each<[string, PersistentVolumeClaimSpec, string | undefined]>([
    ["a file system", {}, "ext4"],
    ["no file system when it is a block device", { volumeMode: "Block" }, undefined],
  ])("has %s", (_what, spec, expected) => {
    expect(volumeFor(spec, {}, { defaultFsType: "ext4" }).spec?.csi?.fsType).toBe(expected);
  });

  it("names the Secrets of later calls", () => {
    const { spec, metadata } = volumeFor(
      {},
      {
        parameters: {
          "csi.storage.k8s.io/secret-name": "s",
          "csi.storage.k8s.io/secret-namespace": "${pvc.namespace}",
        },
      },
    );
    const ref = { name: "s", namespace: "team" };
    expect(spec?.csi).toMatchObject({
      controllerPublishSecretRef: ref,
      nodeStageSecretRef: ref,
      nodePublishSecretRef: ref,
      controllerExpandSecretRef: ref,
      nodeExpandSecretRef: ref,
    });
    expect(metadata.annotations).toMatchObject({
      "volume.kubernetes.io/provisioner-deletion-secret-name": "s",
      "volume.kubernetes.io/controller-modify-secret-namespace": "team",
    });
  });

  it("has the size and the places that the driver says", () => {
    const subject = { claim: claimWith(), storageClass: classWith(), volumeName: "pvc-1", driverName: "d.csi" };
    const answer: Pick<Volume, "volumeId" | "capacityBytes" | "volumeContext"> = {
      volumeId: "v",
      capacityBytes: 3n * 1024n ** 3n,
      volumeContext: {},
    };
    const accessibleTopology = [{ segments: { zone: "a" } }] as unknown as Volume["accessibleTopology"];
    const volume = desiredPersistentVolume(
      desiredVolumeTemplate(subject, settings),
      { ...answer, accessibleTopology },
      1n,
    );
    expect(volume.spec).toMatchObject({
      capacity: { storage: "3Gi" },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }] },
      },
    });
  });
});
