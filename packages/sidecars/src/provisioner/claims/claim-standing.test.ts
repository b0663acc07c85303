import type { PersistentVolumeClaim, StorageClass } from "@stowage/machinery";
import { expect, it } from "vitest";
import { claimStanding } from "./claim-standing.ts";

const NEW = "volume.kubernetes.io/storage-provisioner";
const OLD = "volume.beta.kubernetes.io/storage-provisioner";
const NODE = "volume.kubernetes.io/selected-node";

function claimWith(annotations: Record<string, string>, volumeName?: string): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", annotations },
    spec: { storageClassName: "fast", volumeName },
  };
}

function classWith(changes: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "d.csi",
    volumeBindingMode: "Immediate",
    ...changes,
  };
}

const late = classWith({ volumeBindingMode: "WaitForFirstConsumer" });

it.each<[string, PersistentVolumeClaim, StorageClass | undefined, string]>([
  ["asks for the driver", claimWith({ [NEW]: "d.csi" }), classWith(), "ours"],
  ["asks for it in the old way", claimWith({ [OLD]: "d.csi" }), classWith(), "ours"],
  [
    "asks for it in the old way, and for another in the new",
    claimWith({ [OLD]: "d.csi", [NEW]: "x" }),
    classWith(),
    "foreign",
  ],
  ["asks for another", claimWith({ [NEW]: "x" }), classWith(), "foreign"],
  ["asks for none", claimWith({}), classWith(), "foreign"],
  [
    "is of a class that is another driver's now",
    claimWith({ [NEW]: "d.csi" }),
    classWith({ provisioner: "x" }),
    "foreign",
  ],
  ["has a volume", claimWith({ [NEW]: "d.csi" }, "pv"), classWith(), "bound"],
  ["is of a class that is gone", claimWith({ [NEW]: "d.csi" }), undefined, "classMissing"],
  ["has no consumer yet", claimWith({ [NEW]: "d.csi" }), late, "waitsForNode"],
  ["lost its consumer's node", claimWith({ [NEW]: "d.csi", [NODE]: "" }), late, "waitsForNode"],
  ["has a consumer", claimWith({ [NEW]: "d.csi", [NODE]: "n" }), late, "ours"],
])("a claim that %s stands so", (_what, claim, storageClass, expected) => {
  expect(claimStanding(claim, storageClass, "d.csi")).toBe(expected);
});
