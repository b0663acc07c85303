import {
  bindingAnnotations,
  type CSIStorageCapacity,
  labelMatcherFrom,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
  Quantity,
  type StorageClass,
} from "@stowage/machinery";
import { areTermsMet } from "../../kit/index.ts";
import {
  hasAccessModes,
  hasSameAttributesClass,
  hasSameMode,
  isReservedFor,
  requestOf,
  storageOf,
} from "../../storage/binder/volume-match.ts";
import { classOfClaim, classOfVolume } from "../../storage/classes.ts";
import type { StorageView } from "./storage-view.ts";

/** The claims of a Pod, by what is left to do for them. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** To be bound, or made, for the node that is chosen. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

/** What is to be written when the Pod goes to the node. */
export interface VolumePlan {
  readonly bindings: readonly { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim }[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

export const conflicts = {
  bound: "node(s) didn't match PersistentVolume's node affinity",
  unbound: "node(s) didn't find available persistent volumes to bind",
  space: "node(s) did not have enough free storage",
  absent: "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
} as const;

/** Nothing provisions volumes of such a class: they are there, or not. */
const NO_PROVISIONER = "kubernetes.io/no-provisioner";

export function isFullyBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? "") !== "" && metadata.annotations?.[bindingAnnotations.bindCompleted] !== undefined;
}

/** The plan for the node, or why there is none. */
export function volumePlan(claims: PodClaims, node: Node, storage: StorageView): VolumePlan | string[] {
  const reasons = boundConflicts(claims.bound, node, storage);
  const unbound = planUnbound(claims.delayed, node, storage);
  if (typeof unbound === "string") return [...reasons, unbound].toSorted(byConflict);
  return reasons.length > 0 ? reasons : unbound;
}

const conflictOrder: readonly string[] = Object.values(conflicts);
const byConflict = (a: string, b: string) => conflictOrder.indexOf(a) - conflictOrder.indexOf(b);

function boundConflicts(bound: readonly PersistentVolumeClaim[], node: Node, storage: StorageView): string[] {
  for (const { spec } of bound) {
    const volume = storage.volume(spec?.volumeName ?? "");
    if (volume === undefined) return [conflicts.absent];
    if (!isReachable(volume, node)) return [conflicts.bound];
  }
  return [];
}

export function isReachable({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || areTermsMet(required.nodeSelectorTerms, node);
}

function planUnbound(delayed: readonly PersistentVolumeClaim[], node: Node, storage: StorageView): VolumePlan | string {
  const chosen = (claim: PersistentVolumeClaim) => claim.metadata.annotations?.[provisioningAnnotations.selectedNode];
  if (delayed.some((claim) => ![undefined, node.metadata.name].includes(chosen(claim)))) return conflicts.unbound;
  const taken = new Set<string>();
  const bindings: { volume: PersistentVolume; claim: PersistentVolumeClaim }[] = [];
  const provisions = delayed.filter((claim) => chosen(claim) !== undefined);
  const open = delayed.filter((claim) => chosen(claim) === undefined);
  for (const claim of open.toSorted((a, b) => requestOf(a).compare(requestOf(b)))) {
    const volume = findVolume(claim, storage.volumes(), node, taken);
    taken.add(volume?.metadata.name ?? "");
    if (volume === undefined) provisions.push(claim);
    else bindings.push({ volume, claim });
  }
  for (const claim of provisions) {
    const conflict = provisionConflict(claim, node, storage);
    if (conflict !== undefined) return conflict;
  }
  return { bindings, provisions };
}

/** What is reserved for the claim, if it can be reached; else the smallest that fits and can be. */
function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  node: Node,
  taken: ReadonlySet<string>,
): PersistentVolume | undefined {
  const fitting = volumes.filter(
    (volume) => !taken.has(volume.metadata.name ?? "") && isFitting(claim, volume) && isOfClass(claim, volume),
  );
  const reserved = fitting.find((volume) => isReservedFor(volume, claim));
  if (reserved !== undefined) return isReachable(reserved, node) ? reserved : undefined;
  const free = fitting.filter((volume) => isFree(claim, volume) && isReachable(volume, node));
  return free.toSorted((a, b) => storageOf(a.spec?.capacity).compare(storageOf(b.spec?.capacity)))[0];
}

function isOfClass(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return classOfVolume(volume) === classOfClaim(claim);
}

function isFitting(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  const { metadata, spec } = volume;
  if (spec?.claimRef !== undefined && !isReservedFor(volume, claim)) return false;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (!hasSameMode(claim, volume) || !hasSameAttributesClass(claim, volume)) return false;
  return storageOf(spec?.capacity).compare(requestOf(claim)) >= 0;
}

function isFree(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  if (volume.status?.phase !== "Available" || !hasAccessModes(claim, volume)) return false;
  const selector = claim.spec?.selector;
  return selector === undefined || labelMatcherFrom(selector).matches(volume.metadata.labels);
}

function provisionConflict(claim: PersistentVolumeClaim, node: Node, storage: StorageView): string | undefined {
  const found = storage.storageClass(classOfClaim(claim));
  if (found === undefined || found.provisioner === "" || found.provisioner === NO_PROVISIONER) return conflicts.unbound;
  if (!isAllowed(found, node)) return conflicts.unbound;
  return hasRoom(claim, found, node, storage) ? undefined : conflicts.space;
}

function isAllowed({ allowedTopologies = [] }: StorageClass, { metadata }: Node): boolean {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(metadata.labels?.[key] ?? "")),
  );
}

/** Asked only of drivers that say how much room they have. */
function hasRoom(
  claim: PersistentVolumeClaim,
  { metadata, provisioner }: StorageClass,
  node: Node,
  storage: StorageView,
) {
  if (storage.driver(provisioner)?.spec.storageCapacity !== true) return true;
  const wanted = requestOf(claim);
  return storage
    .capacities()
    .some(
      (capacity) =>
        capacity.storageClassName === metadata.name && isEnough(capacity, wanted) && isInReach(capacity, node),
    );
}

function isEnough({ maximumVolumeSize, capacity }: CSIStorageCapacity, wanted: Quantity): boolean {
  const limit = maximumVolumeSize ?? capacity;
  return limit !== undefined && Quantity.fromJson(limit).compare(wanted) >= 0;
}

function isInReach({ nodeTopology }: CSIStorageCapacity, { metadata }: Node): boolean {
  return nodeTopology !== undefined && labelMatcherFrom(nodeTopology).matches(metadata.labels);
}
