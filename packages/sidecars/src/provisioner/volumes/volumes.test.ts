import { CsiError, type GrpcFailureCode, type Volume } from "@stowage/csi";
import { type PersistentVolume, type StorageClass, silentLogger } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { provisionerDefaults } from "../options.ts";
import type { Provisioning } from "../provisioning.ts";
import { deletionSecretRef } from "./deletion-secret.ts";
import { callCreateVolume } from "./driver-calls.ts";
import { desiredVolumeStep } from "./volume-standing.ts";

const FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

interface VolumeTraits {
  readonly phase?: string;
  readonly policy?: string;
  readonly isGoing?: boolean;
  readonly isProtected?: boolean;
  readonly provisionedBy?: string | null;
  readonly driver?: string;
}

function volumeWith(traits: VolumeTraits): PersistentVolume {
  const { phase = "Released", policy = "Delete", isGoing = false, isProtected = true, driver = "d.csi" } = traits;
  const provisionedBy = traits.provisionedBy === undefined ? "d.csi" : traits.provisionedBy;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: "pv",
      annotations: provisionedBy === null ? {} : { "pv.kubernetes.io/provisioned-by": provisionedBy },
      finalizers: isProtected ? [FINALIZER] : [],
      ...(isGoing ? { deletionTimestamp: "now" } : {}),
    },
    spec: {
      persistentVolumeReclaimPolicy: policy as "Delete",
      csi: { driver, volumeHandle: "v" },
      claimRef: { namespace: "team", name: "data" },
    },
    status: { phase: phase as "Released" },
  };
}

describe("a PV", () => {
  it.each<[string, VolumeTraits, string]>([
    ["that is released goes", {}, "delete"],
    ["that is released and going already goes", { isGoing: true }, "delete"],
    ["that is done with is left to vanish", { isGoing: true, isProtected: false }, "nothing"],
    ["that is bound stays", { phase: "Bound" }, "nothing"],
    ["that is bound gets its finalizer", { phase: "Bound", isProtected: false }, "addFinalizer"],
    ["that is bound and going gets none", { phase: "Bound", isProtected: false, isGoing: true }, "nothing"],
    ["that is available gets none", { phase: "Available", isProtected: false }, "nothing"],
    ["that failed stays", { phase: "Failed" }, "nothing"],
    ["that is to be retained loses its finalizer", { policy: "Retain" }, "removeFinalizer"],
    ["that is to be recycled loses its finalizer", { policy: "Recycle", phase: "Bound" }, "removeFinalizer"],
    ["that is retained stays", { policy: "Retain", isProtected: false }, "nothing"],
    ["of another provisioner is none of ours", { provisionedBy: "other" }, "nothing"],
    ["made by hand for the driver goes too", { provisionedBy: null }, "delete"],
    ["made by hand for another driver does not", { provisionedBy: null, driver: "other" }, "nothing"],
  ])("%s", (_what, traits, expected) => expect(desiredVolumeStep(volumeWith(traits), "d.csi")).toBe(expected));
});

describe("the Secret for DeleteVolume", () => {
  const annotated = (name: string, namespace: string) => ({
    ...volumeWith({}),
    metadata: {
      name: "pv",
      annotations: {
        "volume.kubernetes.io/provisioner-deletion-secret-name": name,
        "volume.kubernetes.io/provisioner-deletion-secret-namespace": namespace,
      },
    },
  });
  const storageClass: StorageClass = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "d.csi",
    parameters: {
      "csi.storage.k8s.io/provisioner-secret-name": "${pvc.name}",
      "csi.storage.k8s.io/provisioner-secret-namespace": "${pvc.namespace}",
    },
  };

  it("is what the PV says, even that there is none", () => {
    expect(deletionSecretRef(annotated("s", "n"), storageClass)).toEqual({ name: "s", namespace: "n" });
    expect(deletionSecretRef(annotated("", ""), storageClass)).toBeUndefined();
  });

  it("is the class's for a PV that does not say", () => {
    expect(deletionSecretRef(volumeWith({}), storageClass)).toEqual({ name: "data", namespace: "team" });
    expect(deletionSecretRef(volumeWith({}), undefined)).toBeUndefined();
  });
});

type Answer = Partial<Volume> | GrpcFailureCode;

/** A driver that answers CreateVolume like this, and DeleteVolume as often wrongly as told. */
function driverThat(answer: Answer, deleteFailures = 0) {
  const calls: string[] = [];
  let failures = deleteFailures;
  const deps = {
    csi: {
      controller: {
        async createVolume() {
          calls.push("create");
          if (typeof answer === "string") throw new CsiError(answer, "no");
          return { volume: { volumeId: "v", capacityBytes: 0n, accessibleTopology: [], volumeContext: {}, ...answer } };
        },
        async deleteVolume({ volumeId }: { volumeId: string }) {
          calls.push(`delete ${volumeId}`);
          if (failures-- > 0) throw new CsiError("INTERNAL", "no");
          return {};
        },
      },
    },
    driver: { name: "d.csi", plugin: new Set(), controller: new Set() },
    options: { ...provisionerDefaults, namespace: "default" },
    logger: silentLogger,
  } as unknown as Provisioning;
  return { deps, calls };
}

const request = { name: "pvc-1", capacityRange: { requiredBytes: 100n } };
const copied = { ...request, volumeContentSource: { type: { case: "volume", value: { volumeId: "s" } } } } as const;

describe("CreateVolume", () => {
  it.each<[GrpcFailureCode, string]>([
    ["CANCELLED", "unknown"],
    ["DEADLINE_EXCEEDED", "unknown"],
    ["UNAVAILABLE", "unknown"],
    ["ABORTED", "unknown"],
    ["RESOURCE_EXHAUSTED", "refused"],
    ["INVALID_ARGUMENT", "refused"],
    ["ALREADY_EXISTS", "refused"],
    ["INTERNAL", "refused"],
    ["UNKNOWN", "refused"],
    ["UNIMPLEMENTED", "refused"],
    ["PERMISSION_DENIED", "refused"],
    ["UNAUTHENTICATED", "refused"],
    ["NOT_FOUND", "refused"],
    ["OUT_OF_RANGE", "refused"],
    ["FAILED_PRECONDITION", "refused"],
    ["DATA_LOSS", "refused"],
  ])("that fails with %s is %s", async (code, kind) => {
    expect(await callCreateVolume(driverThat(code).deps, { request, secrets: {} })).toMatchObject({ kind });
  });

  it.each<[string, Partial<Volume>]>([
    ["the size asked for", { capacityBytes: 100n }],
    ["a larger size", { capacityBytes: 101n }],
    ["no size, since the driver does not know it", { capacityBytes: 0n }],
  ])("that answers with %s has made the volume", async (_what, answer) => {
    const { deps, calls } = driverThat(answer);
    expect(await callCreateVolume(deps, { request, secrets: {} })).toMatchObject({ kind: "made" });
    expect(calls).toEqual(["create"]);
  });

  it("that answers with too little has its volume deleted again", async () => {
    const { deps, calls } = driverThat({ capacityBytes: 99n }, 4);
    const outcome = await callCreateVolume(deps, { request, secrets: {} });
    expect(outcome).toMatchObject({ kind: "refused", error: { code: "VOLUME_ANSWER_UNUSABLE" } });
    expect(calls).toEqual(["create", ...Array.from({ length: 5 }, () => "delete v")]);
  });

  it("that answers with too little, and whose volume stays after five tries, is not done", async () => {
    const { deps, calls } = driverThat({ capacityBytes: 99n }, 5);
    expect(await callCreateVolume(deps, { request, secrets: {} })).toMatchObject({ kind: "unknown" });
    expect(calls).toHaveLength(6);
  });

  it("that forgot to copy has its volume deleted again", async () => {
    const outcome = await callCreateVolume(driverThat({}).deps, { request: copied, secrets: {} });
    expect(outcome).toMatchObject({ kind: "refused", error: { message: "volume content source missing" } });
    const contentSource = { type: { case: undefined } } as Volume["contentSource"];
    const good = await callCreateVolume(driverThat({ contentSource }).deps, { request: copied, secrets: {} });
    expect(good).toMatchObject({ kind: "made" });
  });

  it("that answers without a volume is not done", async () => {
    expect(await callCreateVolume(driverThat({ volumeId: "" }).deps, { request, secrets: {} })).toMatchObject({
      kind: "unknown",
    });
  });

  it("is not believed about places by a driver that has none", async () => {
    const accessibleTopology = [{ segments: { zone: "a" } }] as unknown as Volume["accessibleTopology"];
    const outcome = await callCreateVolume(driverThat({ accessibleTopology }).deps, { request, secrets: {} });
    expect(outcome).toMatchObject({ volume: { accessibleTopology: [] } });
  });
});
