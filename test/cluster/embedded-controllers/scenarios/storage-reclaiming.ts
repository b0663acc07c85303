import { persistentVolumeClaims, persistentVolumes } from "@stowage/machinery";
import type { Scenario } from "../scenario.ts";
import { ask, boundPair, untilBound, untilPhase, untilTold, volume, volumeName } from "../storage-objects.ts";

const compares = [persistentVolumes, persistentVolumeClaims];
const about = { compares, events: ["PersistentVolume", "PersistentVolumeClaim"], eventCounts: false } as const;

/** What becomes of one when the other goes. */
export const ends: Scenario[] = [
  {
    name: "a retained volume is released when its claim goes, and may be bound again once its claim is taken off",
    ...about,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.remove(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Released");
      await scene.patch(persistentVolumes, volumeName(scene, "data"), { spec: { claimRef: null } });
      await untilPhase(scene, volumeName(scene, "data"), "Available");
      await ask(scene, "again");
      await untilBound(scene, "again");
    },
  },
  {
    name: "a volume that is to be deleted is left to its driver",
    ...about,
    async run(scene) {
      await boundPair(scene, "data", { persistentVolumeReclaimPolicy: "Delete" });
      await scene.remove(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Released");
    },
  },
  {
    name: "a volume that is to be deleted and has no driver fails",
    ...about,
    async run(scene) {
      const nfs = { server: "nfs.example.org", path: "/" };
      await boundPair(scene, "data", { nfs, persistentVolumeReclaimPolicy: "Delete" });
      await scene.remove(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Failed");
      await untilTold(scene, "VolumeFailedDelete");
    },
  },
  {
    name: "a volume that is to be recycled and cannot be fails",
    ...about,
    async run(scene) {
      await boundPair(scene, "data", { persistentVolumeReclaimPolicy: "Recycle" });
      await scene.remove(persistentVolumeClaims, "data");
      await untilPhase(scene, volumeName(scene, "data"), "Failed");
      await untilTold(scene, "VolumeFailedRecycle");
    },
  },
  {
    name: "a claim whose volume is gone is lost",
    ...about,
    async run(scene) {
      await boundPair(scene, "data");
      await scene.remove(persistentVolumes, volumeName(scene, "data"));
      await scene.patch(persistentVolumes, volumeName(scene, "data"), { metadata: { finalizers: null } });
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Lost");
      await untilTold(scene, "ClaimLost");
    },
  },
  {
    name: "a claim whose volume names another claim is lost",
    ...about,
    async run(scene) {
      await boundPair(scene, "data");
      const claimRef = { uid: "00000000-0000-0000-0000-000000000001", name: "other" };
      await scene.patch(persistentVolumes, volumeName(scene, "data"), { spec: { claimRef } });
      await untilPhase(scene, volumeName(scene, "data"), "Released");
      await scene.until(persistentVolumeClaims, "data", ({ status }) => status?.phase === "Lost");
      await untilTold(scene, "ClaimMisbound");
    },
  },
  {
    name: "a second volume for a claim that has one is freed, reserved or released, as it came",
    ...about,
    async run(scene) {
      await boundPair(scene, "data");
      const { metadata } = await scene.get(persistentVolumeClaims, "data");
      const { name, namespace, uid } = metadata;
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
      const chosen = { "pv.kubernetes.io/bound-by-controller": "yes", note: "kept" };
      await scene.create(persistentVolumes, volume(scene, "chosen", { claimRef, annotations: chosen }));
      await scene.create(persistentVolumes, volume(scene, "reserved", { claimRef }));
      const made = { "pv.kubernetes.io/provisioned-by": `csi-${scene.id}` };
      const shape = { claimRef, annotations: made, persistentVolumeReclaimPolicy: "Delete" } as const;
      await scene.create(persistentVolumes, volume(scene, "made", shape));
      await untilPhase(scene, volumeName(scene, "chosen"), "Available");
      await untilPhase(scene, volumeName(scene, "reserved"), "Available");
      await untilPhase(scene, volumeName(scene, "made"), "Released");
    },
  },
];
