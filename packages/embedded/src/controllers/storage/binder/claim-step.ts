import type { EventType } from "@stowage/kube";
import {
  bindingAnnotations,
  bindingReasons,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  provisioningAnnotations,
  type StorageClass,
} from "@stowage/machinery";
import { classOfClaim, defaultClass, hasClass, isDelayed } from "../classes.ts";
import { isTerminated } from "../pod-volumes.ts";
import { hasAnnotation } from "./bound-objects.ts";
import { findVolume, isReservedFor, mismatchOf } from "./volume-match.ts";

export interface Told {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** What a claim needs next. */
export type ClaimStep =
  | { readonly step: "bind"; readonly volume: PersistentVolume }
  /** It has no class, and there is a default one now. */
  | { readonly step: "takeClass"; readonly className: string }
  | { readonly step: "provision"; readonly storageClass: StorageClass }
  /** No volume, and nothing to be done about it for now. */
  | { readonly step: "wait"; readonly told?: Told }
  /** As `wait`, without a word on its status. */
  | { readonly step: "tell"; readonly told: Told }
  | { readonly step: "lose"; readonly told: Told };

/** What is known of everything else. */
export interface ClaimSurroundings {
  volumes(): readonly PersistentVolume[];
  volume(name: string): PersistentVolume | undefined;
  classes(): readonly StorageClass[];
  storageClass(name: string): StorageClass | undefined;
  /** Those that use the claim. */
  pods(): readonly Pod[];
}

export function desiredClaimStep(claim: PersistentVolumeClaim, around: ClaimSurroundings): ClaimStep {
  if (hasAnnotation(claim, bindingAnnotations.bindCompleted)) return stepOfBound(claim, around);
  return claim.spec?.volumeName ? stepOfRequest(claim, claim.spec.volumeName, around) : stepOfUnbound(claim, around);
}

/** It does not say which volume it wants. */
function stepOfUnbound(claim: PersistentVolumeClaim, around: ClaimSurroundings): ClaimStep {
  const storageClass = around.storageClass(classOfClaim(claim));
  const isLate = isDelayed(storageClass);
  const volume = findVolume(claim, around.volumes(), isLate);
  if (volume !== undefined) return { step: "bind", volume };
  const byDefault = hasClass(claim) ? undefined : defaultClass(around.classes());
  if (byDefault !== undefined) return { step: "takeClass", className: byDefault.metadata.name ?? "" };
  if (isLate && !hasAnnotation(claim, provisioningAnnotations.selectedNode)) {
    return { step: "wait", told: waitsForPod(around.pods()) };
  }
  if (classOfClaim(claim) === "") return { step: "wait", told: normal(bindingReasons.failed, NOTHING_FITS) };
  const problem = provisioningProblem(classOfClaim(claim), storageClass);
  if (problem !== undefined) return { step: "tell", told: warning(bindingReasons.provisioningFailed, problem) };
  return { step: "provision", storageClass: storageClass as StorageClass };
}

const NOTHING_FITS = "no persistent volumes available for this claim and no storage class is set";

/** Names under this prefix are of plugins in Kubernetes itself, and there are none that provision. */
const IN_TREE = "kubernetes.io/";

function provisioningProblem(name: string, storageClass: StorageClass | undefined): string | undefined {
  if (storageClass === undefined) return `storageclass.storage.k8s.io ${JSON.stringify(name)} not found`;
  const { provisioner } = storageClass;
  return provisioner.startsWith(IN_TREE) ? `no volume plugin matched name: ${provisioner}` : undefined;
}

function waitsForPod(pods: readonly Pod[]): Told {
  const waiting = pods.filter((pod) => !isTerminated(pod) && !pod.spec?.nodeName).map(({ metadata }) => metadata.name);
  if (waiting.length === 0) {
    return normal(bindingReasons.waitForFirstConsumer, "waiting for first consumer to be created before binding");
  }
  const which = waiting.length === 1 ? `pod ${waiting[0]}` : `pods ${waiting.join(",")}`;
  return normal(bindingReasons.waitForPodScheduled, `waiting for ${which} to be scheduled`);
}

/** It names the volume that it wants. */
function stepOfRequest(claim: PersistentVolumeClaim, name: string, around: ClaimSurroundings): ClaimStep {
  const volume = around.volume(name);
  if (volume === undefined) return { step: "wait" };
  if (volume.spec?.claimRef === undefined) {
    const mismatch = mismatchOf(volume, claim);
    if (mismatch === undefined) return { step: "bind", volume };
    const message = `Cannot bind to requested volume ${JSON.stringify(name)}: ${mismatch}`;
    return { step: "wait", told: warning(bindingReasons.mismatch, message) };
  }
  if (isReservedFor(volume, claim)) return { step: "bind", volume };
  const told = warning(bindingReasons.failed, `volume ${JSON.stringify(name)} already bound to a different claim.`);
  // Only by taking away the mark that it was bound can a claim come to be like this; what it was bound to is still in its status.
  return { step: hasAnnotation(claim, bindingAnnotations.boundByController) ? "tell" : "wait", told };
}

/** It was bound once. */
function stepOfBound({ metadata, spec }: PersistentVolumeClaim, around: ClaimSurroundings): ClaimStep {
  const lost = (message: string): ClaimStep => ({ step: "lose", told: warning(bindingReasons.claimLost, message) });
  if (!spec?.volumeName) return lost("Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
  const volume = around.volume(spec.volumeName);
  if (volume === undefined) return lost("Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === metadata.uid) return { step: "bind", volume };
  const message = "Two claims are bound to the same volume, this one is bound incorrectly";
  return { step: "lose", told: warning(bindingReasons.claimMisbound, message) };
}

function normal(reason: string, message: string): Told {
  return { type: "Normal", reason, message };
}

function warning(reason: string, message: string): Told {
  return { type: "Warning", reason, message };
}
