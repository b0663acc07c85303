import type { KubernetesObject, OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "@stowage/machinery";
import { canonicalText, controllerReference } from "../../kit/index.ts";
import { isInRange } from "./stateful-pod.ts";

interface Owners {
  readonly set: StatefulSet;
  readonly pod: Pod;
}

const deletes = (when: string | undefined) => when === "Delete";

function isNamed({ apiVersion, kind, name }: OwnerReference, object: KubernetesObject): boolean {
  return apiVersion === object.apiVersion && kind === object.kind && name === object.metadata.name;
}

/** It belonged to one of the same name that is gone, and will go with it. */
export function isStale(claim: PersistentVolumeClaim, owner: KubernetesObject): boolean {
  const reference = claim.metadata.ownerReferences?.find((each) => isNamed(each, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

/** Somebody else decides when it goes. */
export function hasForeignController(claim: PersistentVolumeClaim, { set, pod }: Owners): boolean {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (!deletes(whenDeleted) && !deletes(whenScaled)) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    const own = [set, pod].find((each) => isNamed(reference, each));
    return own === undefined ? reference.controller === true : reference.uid !== own.metadata.uid;
  });
}

/** Who takes the claim along when he goes: the set, a Pod that was scaled away, or nobody. */
export function desiredClaimOwners(claim: PersistentVolumeClaim, owners: Owners): OwnerReference[] {
  const { set, pod } = owners;
  const current = claim.metadata.ownerReferences ?? [];
  if (isStale(claim, set) || isStale(claim, pod)) return current;
  const others = current.filter((reference) => !isNamed(reference, set) && !isNamed(reference, pod));
  if (hasForeignController(claim, owners)) return others;
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const isScaledAway = deletes(whenScaled) && !isInRange(pod, set);
  if (isScaledAway) return [...others, controllerReference(pod)];
  return deletes(whenDeleted) ? [...others, controllerReference(set)] : others;
}

export function areOwnersRight(claim: PersistentVolumeClaim, owners: Owners): boolean {
  const byUid = (references: readonly OwnerReference[]) => references.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  const current = byUid(claim.metadata.ownerReferences ?? []);
  return canonicalText(current) === canonicalText(byUid(desiredClaimOwners(claim, owners)));
}
