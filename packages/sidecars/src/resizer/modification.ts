import { type CsiError, isCsiError, isFinalError } from "@stowage/csi";
import {
  modifyMetadata,
  type PersistentVolume,
  type PersistentVolumeClaim,
  resizeReasons,
  resizingAnnotations,
  StowageError,
  type VolumeAttributesClass,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { patchVolume } from "../caches/index.ts";
import { readSecret, type SecretRef, secretRef } from "../secrets/index.ts";
import {
  cancelledPatch,
  isInfeasible,
  modifiedPatch,
  modifiedVolumePatch,
  modifyErrorPatch,
  modifyingPatch,
  pendingPatch,
} from "./modification-patches.ts";
import { isSameWish, modificationPlan } from "./modification-plan.ts";
import { isOwnVolume, patchClaimStatus, type Resizing, wordsOf } from "./resizing.ts";
import type { SlowRetries } from "./slow-retries.ts";

/** What modifying remembers between its tries; after a restart, all that is in progress counts as possibly under way. */
export interface Modifying extends Resizing {
  /** Claims whose last modification certainly failed. */
  readonly failed: Set<string>;
  /** Claims whose class the driver called impossible. */
  readonly slow: SlowRetries;
  findClass(name: string): VolumeAttributesClass | undefined;
}

interface Modification {
  readonly key: string;
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** Gives the volume of a claim the parameters of the VolumeAttributesClass that the claim names. */
export async function modifyClaim(deps: Modifying, key: string, signal: AbortSignal): Promise<SyncOutcome> {
  const claim = deps.claims.getByKey(key);
  if (claim?.status?.phase !== "Bound") {
    forget(deps, key);
    return undefined;
  }
  const plan = modificationPlan(claim, { hasFailed: deps.failed.has(key) });
  const volume = plan.kind === "none" ? undefined : volumeOf(deps, claim);
  if (plan.kind === "none" || volume === undefined || !isOwnVolume(deps, volume)) return undefined;
  if (!isSameWish(claim)) deps.slow.forget(key);
  const slowMs = deps.slow.remainingMs(key);
  if (slowMs > 0) return { requeueAfterMs: slowMs };
  if (plan.kind === "cancelled") return cancel(deps, claim);
  const wish = { className: plan.className, signal };
  return (plan.isResumed ? resume : begin)(deps, { key, claim, volume }, wish);
}

/** @throws StowageError CLAIM_VOLUME_UNKNOWN, for then it is looked for again */
function volumeOf({ volumes }: Modifying, { spec }: PersistentVolumeClaim): PersistentVolume {
  const volume = volumes.getByKey(spec?.volumeName ?? "");
  if (volume !== undefined) return volume;
  throw new StowageError("CLAIM_VOLUME_UNKNOWN", `PersistentVolume ${spec?.volumeName} of the claim has not been seen`);
}

function forget({ failed, slow }: Modifying, key: string): void {
  failed.delete(key);
  slow.forget(key);
}

async function cancel(deps: Modifying, claim: PersistentVolumeClaim): Promise<undefined> {
  const patch = cancelledPatch(claim);
  if (patch === undefined) return;
  deps.events.event(claim, "Normal", resizeReasons.modifyCancelled, "Cancelled modify.");
  await patchClaimStatus(deps, claim, patch);
}

interface Wish {
  readonly className: string;
  readonly signal: AbortSignal;
}

async function begin(deps: Modifying, modification: Modification, { className, signal }: Wish): Promise<SyncOutcome> {
  const { claim } = modification;
  const attributes = deps.findClass(className);
  if (attributes === undefined) {
    tellMissing(deps, claim, className);
    const patch = pendingPatch(claim);
    if (patch !== undefined) await patchClaimStatus(deps, claim, patch);
    return undefined;
  }
  const marked = await patchClaimStatus(deps, claim, modifyingPatch(claim, className, deps.clock.nowMs()));
  const about = `external resizer is modifying volume ${claim.metadata.name} with vac ${className}`;
  deps.events.event(claim, "Normal", resizeReasons.modifying, about);
  return modify(deps, { ...modification, claim: marked }, { attributes, signal });
}

async function resume(deps: Modifying, modification: Modification, { className, signal }: Wish): Promise<SyncOutcome> {
  const attributes = deps.findClass(className);
  if (attributes !== undefined) return modify(deps, modification, { attributes, signal });
  tellMissing(deps, modification.claim, className);
  throw new StowageError("ATTRIBUTES_CLASS_MISSING", `VolumeAttributesClass ${className} does not exist`);
}

function tellMissing({ events }: Modifying, claim: PersistentVolumeClaim, className: string): void {
  const nextStep = "Create it, or name another in volumeAttributesClassName.";
  const message = `VAC ${JSON.stringify(className)} does not exist. ${nextStep}`;
  events.event(claim, "Warning", resizeReasons.modifyFailed, message);
}

interface Call {
  readonly attributes: VolumeAttributesClass;
  readonly signal: AbortSignal;
}

async function modify(deps: Modifying, modification: Modification, call: Call): Promise<SyncOutcome> {
  const { key, claim, volume } = modification;
  const className = call.attributes.metadata.name ?? "";
  try {
    await callDriver(deps, modification, call);
  } catch (error) {
    if (call.signal.aborted || !isCsiError(error)) throw error;
    return failed(deps, modification, { error, className });
  }
  forget(deps, key);
  // The volume first: were it left out after the claim was finished, nothing would bring it about.
  const volumePatch = modifiedVolumePatch(volume, className);
  if (volumePatch !== undefined) await patchVolume(deps, volume, volumePatch);
  await patchClaimStatus(deps, claim, modifiedPatch(claim, className));
  const about = `external resizer modified volume ${claim.metadata.name} with vac ${className} successfully`;
  deps.events.event(claim, "Normal", resizeReasons.modifySucceeded, about);
  return undefined;
}

async function callDriver(deps: Modifying, { claim, volume }: Modification, call: Call): Promise<void> {
  const { client, csi, options } = deps;
  const mutableParameters = {
    ...call.attributes.parameters,
    ...(options.hasExtraModifyMetadata ? metadataOf(claim, volume) : {}),
  };
  const secrets = await readSecret(client, modifySecret(volume));
  const request = { volumeId: volume.spec?.csi?.volumeHandle ?? "", mutableParameters, secrets };
  await csi.controller.controllerModifyVolume(request, { timeoutMs: options.timeoutMs, signal: call.signal });
}

function metadataOf(claim: PersistentVolumeClaim, volume: PersistentVolume): Record<string, string> {
  return {
    [modifyMetadata.claimName]: claim.metadata.name ?? "",
    [modifyMetadata.claimNamespace]: claim.metadata.namespace ?? "",
    [modifyMetadata.volumeName]: volume.metadata.name ?? "",
  };
}

/** The provisioner notes it on the PersistentVolume; for older ones it is the Secret for expanding. */
export function modifySecret({ metadata, spec }: PersistentVolume): SecretRef | undefined {
  const name = metadata.annotations?.[resizingAnnotations.modifySecretName];
  const namespace = metadata.annotations?.[resizingAnnotations.modifySecretNamespace];
  if (name && namespace) return { namespace, name };
  return secretRef(spec?.csi?.controllerExpandSecretRef);
}

async function failed(
  deps: Modifying,
  { key, claim }: Modification,
  { error, className }: { readonly error: CsiError; readonly className: string },
): Promise<SyncOutcome> {
  if (isFinalError(error)) deps.failed.add(key);
  else deps.failed.delete(key);
  await patchClaimStatus(deps, claim, modifyErrorPatch(claim, error, deps.clock.nowMs()));
  deps.events.event(claim, "Warning", resizeReasons.modifyFailed, `${wordsOf(error)}${nextStepOf(error, className)}`);
  if (!isInfeasible(error)) throw error;
  deps.slow.add(key);
  const retryMs = deps.options.retryMaximumMs;
  deps.logger.warn({ claim: key, error, retryMs }, "the driver cannot give the volume that class");
  return { requeueAfterMs: retryMs };
}

function nextStepOf(error: CsiError, className: string): string {
  if (!isFinalError(error)) return `. Still modifying to VAC ${className}`;
  return isInfeasible(error) ? ". Name another class in volumeAttributesClassName, or the earlier one to cancel." : "";
}
