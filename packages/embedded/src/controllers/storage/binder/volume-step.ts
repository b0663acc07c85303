import {
  bindingAnnotations,
  bindingReasons,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
} from "@stowage/machinery";
import { hasAnnotation } from "./bound-objects.ts";
import { hasSameMode } from "./volume-match.ts";

/** What a volume needs next. */
export type VolumeStep =
  | { readonly step: "mark"; readonly phase: "Available" | "Bound" }
  /** It names a claim that has not got it yet: that is the claim's to do. */
  | { readonly step: "awaken" }
  /** As `awaken`, but the two can never fit. */
  | { readonly step: "refuse" }
  /** Its claim is gone, or has another volume. */
  | { readonly step: "release" }
  /** Chosen here for a claim that got another one. */
  | { readonly step: "unbind" };

/** `claim` is the one that the volume names, and not merely one of that name. */
export function desiredVolumeStep(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): VolumeStep {
  // One that names no claim's uid is reserved, not bound: it is bound when the claim is.
  if (!volume.spec?.claimRef?.uid) return { step: "mark", phase: "Available" };
  if (claim === undefined) return { step: "release" };
  const { volumeName } = claim.spec ?? {};
  if (!volumeName) return { step: hasSameMode(claim, volume) ? "awaken" : "refuse" };
  if (volumeName === volume.metadata.name) return { step: "mark", phase: "Bound" };
  return { step: isMadeForClaim(volume) ? "release" : "unbind" };
}

/** Nobody asked for the volume itself: it can go as it came. */
function isMadeForClaim(volume: PersistentVolume): boolean {
  const isProvisioned = hasAnnotation(volume, provisioningAnnotations.provisionedBy);
  return isProvisioned && volume.spec?.persistentVolumeReclaimPolicy === "Delete";
}

/** Failed is not overwritten: whoever looks should see that something went wrong. */
export function isReleased({ status }: PersistentVolume): boolean {
  return status?.phase === "Released" || status?.phase === "Failed";
}

export interface ReclaimFailure {
  readonly reason: string;
  readonly message: string;
}

/**
 * Why a volume that nobody claims any more cannot be reclaimed as it says. Undefined: there is nothing to do here, since it is
 * retained, or deleted by who made it.
 */
export function reclaimFailure(volume: PersistentVolume): ReclaimFailure | undefined {
  if (volume.metadata.annotations?.[bindingAnnotations.migratedTo]) return undefined;
  const { persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  if (policy === "Retain") return undefined;
  if (policy === "Delete") {
    const message = deletionProblem(volume);
    return message === undefined ? undefined : { reason: bindingReasons.deleteFailed, message };
  }
  // The original recycles NFS and host path volumes with a Pod of its own; that has been deprecated for as long as CSI is there.
  if (policy === "Recycle") {
    return { reason: bindingReasons.recycleFailed, message: "No recycler plugin found for the volume!" };
  }
  const message = "Volume has unrecognized PersistentVolumeReclaimPolicy";
  return { reason: bindingReasons.unknownReclaimPolicy, message };
}

const IN_TREE = "kubernetes.io/";

function deletionProblem({ metadata, spec }: PersistentVolume): string | undefined {
  const provisioner = metadata.annotations?.[provisioningAnnotations.provisionedBy];
  if (provisioner) return provisioner.startsWith(IN_TREE) ? `no volume plugin matched name: ${provisioner}` : undefined;
  if (spec?.csi !== undefined) return undefined;
  // The original also deletes directories below /tmp of the machine that it happens to run on; that is nobody's wish here.
  const why = (spec?.nfs ?? spec?.hostPath) ? "no deletable volume plugin matched" : "no volume plugin matched";
  return `error getting deleter volume plugin for volume ${JSON.stringify(metadata.name)}: ${why}`;
}
