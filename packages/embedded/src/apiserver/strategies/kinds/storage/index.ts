import type { KindTable } from "../../kind-rules.ts";
import { attachmentRules } from "./attachment-rules.ts";
import { capacityRules } from "./capacity-rules.ts";
import { claimRules } from "./claim-rules.ts";
import { attributesClassRules, storageClassRules } from "./class-rules.ts";
import { csiDriverRules } from "./csi-driver-rules.ts";
import { csiNodeRules } from "./csi-node-rules.ts";
import { volumeRules } from "./volume-rules.ts";

/**
 * Volumes, claims, and how they come to be.
 *
 * - `volume-…`: PersistentVolumes, by `volume-source-errors.ts` for each place where a volume can be
 * - `claim-…`: PersistentVolumeClaims; what is said of a spec of one holds for templates, too
 * - `…-rules.ts`: what is particular to each kind, of which the others are the parts
 */
export { claimSpecErrors } from "./claim-errors.ts";
export { claimSpecDefaults, claimSpecWarnings } from "./claim-rules.ts";

export const storageKinds: KindTable = {
  "/PersistentVolume": volumeRules,
  "/PersistentVolumeClaim": claimRules,
  "storage.k8s.io/CSIDriver": csiDriverRules,
  "storage.k8s.io/CSINode": csiNodeRules,
  "storage.k8s.io/CSIStorageCapacity": capacityRules,
  "storage.k8s.io/StorageClass": storageClassRules,
  "storage.k8s.io/VolumeAttachment": attachmentRules,
  "storage.k8s.io/VolumeAttributesClass": attributesClassRules,
};
