import {
  bindingAnnotations,
  type ObjectMeta,
  type ObjectReference,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimStatus,
  Quantity,
  resizingAnnotations,
} from "@stowage/machinery";
import { isReservedFor, storageOf } from "./volume-match.ts";

export type ClaimPhase = NonNullable<PersistentVolumeClaimStatus["phase"]>;

/** The volume with the claim in it; undefined when it has it already. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume | undefined {
  const { name, namespace, uid } = claim.metadata;
  const ref = volume.spec?.claimRef;
  const isNamed = ref?.name === name && ref?.namespace === namespace && ref?.uid === uid;
  const isMarked = isReservedFor(volume, claim) || hasAnnotation(volume, bindingAnnotations.boundByController);
  if (isNamed && isMarked) return undefined;
  return {
    ...volume,
    metadata: isMarked ? volume.metadata : annotated(volume.metadata, bindingAnnotations.boundByController),
    spec: { ...volume.spec, claimRef: isNamed ? ref : referenceTo(claim) },
  };
}

/** The volume without its claim; a user's reservation stays, for whatever claim of that name comes. */
export function unboundVolume(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec ?? {};
  if (!hasAnnotation(volume, bindingAnnotations.boundByController)) {
    const { uid: _, ...reservation } = claimRef ?? {};
    return { ...volume, spec: { ...spec, claimRef: reservation } };
  }
  const { annotations, ...metadata } = volume.metadata;
  const { [bindingAnnotations.boundByController]: _, ...others } = annotations ?? {};
  const kept = Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others };
  return { ...volume, metadata: kept, spec };
}

/** The claim with the volume in it; undefined when it has it already. */
export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim | undefined {
  const { name: volumeName } = volume.metadata;
  const isChosenHere = claim.spec?.volumeName !== volumeName;
  if (!isChosenHere && hasAnnotation(claim, bindingAnnotations.bindCompleted)) return undefined;
  const metadata = isChosenHere ? annotated(claim.metadata, bindingAnnotations.boundByController) : claim.metadata;
  return {
    ...claim,
    metadata: annotated(metadata, bindingAnnotations.bindCompleted),
    spec: { ...claim.spec, volumeName },
  };
}

/** The claim's status in that phase, with what it has of the volume; undefined when it is so already. */
export function claimStatusIn(
  phase: ClaimPhase,
  { status = {} }: PersistentVolumeClaim,
  volume?: PersistentVolume,
): PersistentVolumeClaimStatus | undefined {
  const { accessModes, capacity, currentVolumeAttributesClassName, ...rest } = status;
  if (volume === undefined) {
    const isSo = status.phase === phase && !accessModes && !capacity && currentVolumeAttributesClassName === undefined;
    return isSo ? undefined : { ...rest, phase };
  }
  const isSo = status.phase === phase && String(accessModes) === String(volume.spec?.accessModes);
  if (isSo) return undefined;
  const isNowBound = status.phase === "Pending" && phase === "Bound";
  const attributesClass = isNowBound ? volume.spec?.volumeAttributesClassName : currentVolumeAttributesClassName;
  return {
    ...rest,
    phase,
    ...(volume.spec?.accessModes && { accessModes: volume.spec.accessModes }),
    capacity: status.phase === phase ? capacity : capacityOf(volume, capacity),
    ...(attributesClass !== undefined && { currentVolumeAttributesClassName: attributesClass }),
  };
}

/** A volume that was expanded counts with the size that its file system still has, until the node has expanded that too. */
function capacityOf(
  { metadata, spec }: PersistentVolume,
  present: PersistentVolumeClaimStatus["capacity"],
): PersistentVolumeClaimStatus["capacity"] {
  const before = metadata.annotations?.[resizingAnnotations.preResizeCapacity];
  if (before !== undefined) return { ...present, storage: readable(before) ?? storageOf(spec?.capacity).toString() };
  const isSame = present?.storage !== undefined && storageOf(present).equals(storageOf(spec?.capacity));
  return isSame ? present : spec?.capacity;
}

function readable(quantity: string): string | undefined {
  try {
    return Quantity.parse(quantity).toString();
  } catch {
    // Anybody may have written the annotation; then the volume's own size is the better answer.
    return undefined;
  }
}

export function hasAnnotation({ metadata }: { readonly metadata: ObjectMeta }, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined;
}

function annotated(metadata: ObjectMeta, annotation: string): ObjectMeta {
  if (metadata.annotations?.[annotation] !== undefined) return metadata;
  return { ...metadata, annotations: { ...metadata.annotations, [annotation]: "yes" } };
}

function referenceTo({ metadata }: PersistentVolumeClaim): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
}
