import { labelMatcherFrom, type PersistentVolume, type PersistentVolumeClaim, Quantity } from "@stowage/machinery";
import { classOfClaim, classOfVolume } from "../classes.ts";

type AccessMode = NonNullable<NonNullable<PersistentVolume["spec"]>["accessModes"]>[number];

/** The volume names this claim: this very one, or, before it was bound, one of that name. */
export function isReservedFor({ spec }: PersistentVolume, { metadata: claim }: PersistentVolumeClaim): boolean {
  const ref = spec?.claimRef;
  if (ref?.name !== claim.name || ref?.namespace !== claim.namespace) return false;
  return !ref?.uid || ref.uid === claim.uid;
}

export function storageOf(resources: Readonly<Record<string, unknown>> | undefined): Quantity {
  return resources?.storage === undefined ? Quantity.zero : Quantity.fromJson(resources.storage);
}

export function requestOf({ spec }: PersistentVolumeClaim): Quantity {
  return storageOf(spec?.resources?.requests);
}

export function hasSameMode({ spec: claim }: PersistentVolumeClaim, { spec: volume }: PersistentVolume): boolean {
  return (claim?.volumeMode ?? "Filesystem") === (volume?.volumeMode ?? "Filesystem");
}

export function hasSameAttributesClass(
  { spec: claim }: PersistentVolumeClaim,
  { spec: volume }: PersistentVolume,
): boolean {
  return (claim?.volumeAttributesClassName ?? "") === (volume?.volumeAttributesClassName ?? "");
}

export function hasAccessModes({ spec: claim }: PersistentVolumeClaim, { spec: volume }: PersistentVolume): boolean {
  const offered: readonly AccessMode[] = volume?.accessModes ?? [];
  return (claim?.accessModes ?? []).every((mode) => offered.includes(mode));
}

/**
 * The volume for a claim that does not say which it wants. Volumes that offer no more access modes than asked for come first, and
 * are searched on their own: of these the one that is reserved for the claim, else the smallest that is large enough. A delayed claim
 * gets what is reserved for it alone: for the rest the scheduler chooses.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  isDelayed: boolean,
): PersistentVolume | undefined {
  const fitting = volumes.filter((volume) => hasAccessModes(claim, volume) && isFitting(claim, volume));
  const groups = Map.groupBy(fitting, ({ spec }) => new Set(spec?.accessModes).size);
  for (const [, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    const reserved = group.find((volume) => isReservedFor(volume, claim));
    const found = reserved ?? (isDelayed ? undefined : smallest(group.filter((volume) => isFree(claim, volume))));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFitting(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  const { metadata, spec } = volume;
  if (spec?.claimRef !== undefined && !isReservedFor(volume, claim)) return false;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (!hasSameMode(claim, volume) || !hasSameAttributesClass(claim, volume)) return false;
  return storageOf(spec?.capacity).compare(requestOf(claim)) >= 0;
}

/** What is not marked available yet is looked at again when it is: binding it now would only meet a conflict. */
function isFree(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  if (volume.status?.phase !== "Available" || classOfVolume(volume) !== classOfClaim(claim)) return false;
  const selector = claim.spec?.selector;
  return selector === undefined || labelMatcherFrom(selector).matches(volume.metadata.labels);
}

/** Of equally large ones the first by name, so that the choice does not hang on the order of a list. */
function smallest(volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  return volumes.toSorted((a, b) => {
    const order = storageOf(a.spec?.capacity).compare(storageOf(b.spec?.capacity));
    return order || ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1);
  })[0];
}

/** Why a claim cannot have the volume that it names, in the words that its user is told; undefined when it can. */
export function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { metadata, spec } = volume;
  if (metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${JSON.stringify(metadata.name)}`;
  if (storageOf(spec?.capacity).toBytes() < requestOf(claim).toBytes()) return "requested PV is too small";
  if (classOfVolume(volume) !== classOfClaim(claim)) return "storageClassName does not match";
  if (!hasSameAttributesClass(claim, volume)) return "volumeAttributesClassName does not match";
  if (!hasSameMode(claim, volume)) return "incompatible volumeMode";
  return hasAccessModes(claim, volume) ? undefined : "incompatible accessMode";
}
