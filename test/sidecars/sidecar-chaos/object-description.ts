import type {
  KubernetesObject,
  ObjectReference,
  PersistentVolume,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from "@stowage/machinery";
import type { World } from "./world.ts";

/** What tells why an object is still there, in words. Of annotations the names alone: their values say nothing to a reader. */
export function describeObject({ metadata }: KubernetesObject): string[] {
  const { uid, creationTimestamp, deletionTimestamp, finalizers = [], annotations = {} } = metadata;
  return [
    `uid ${uid}`,
    `made at ${creationTimestamp}`,
    deletionTimestamp === undefined ? "not being deleted" : `being deleted since ${deletionTimestamp}`,
    `finalizers ${listed(finalizers)}`,
    `annotations ${listed(Object.keys(annotations))}`,
  ];
}

export function describeContent(content: VolumeSnapshotContent, { snapshots }: Pick<World, "snapshots">): string[] {
  const { spec, status } = content;
  return [
    `policy ${spec.deletionPolicy}`,
    `of the VolumeSnapshot ${describeReference(spec.volumeSnapshotRef, snapshots)}`,
    ...describeObject(content),
    `snapshot in the storage ${status?.snapshotHandle ?? "unknown"}`,
    ...readiness(status),
  ];
}

export function describeSnapshot(snapshot: VolumeSnapshot): string[] {
  const { spec, status } = snapshot;
  return [
    `of the claim ${spec.source.persistentVolumeClaimName}`,
    ...describeObject(snapshot),
    `bound to ${status?.boundVolumeSnapshotContentName ?? "nothing"}`,
    ...readiness(status),
  ];
}

export function describeVolume(volume: PersistentVolume, { claims }: Pick<World, "claims">): string[] {
  const { spec, status } = volume;
  return [
    `policy ${spec?.persistentVolumeReclaimPolicy}`,
    spec?.claimRef === undefined ? "of no claim" : `of the claim ${describeReference(spec.claimRef, claims)}`,
    `phase ${status?.phase}`,
    `volume in the storage ${spec?.csi?.volumeHandle}`,
    ...describeObject(volume),
  ];
}

/** What the attacher has noted of a volume that is published. */
export function describeUse({ metadata: { name, annotations = {} } }: PersistentVolume): string[] {
  const records = Object.entries(annotations).filter(([key]) => key.startsWith("published.stowage.dev/"));
  return [`of the PV ${name}`, `recorded as published ${listed(records.map(([, value]) => value))}`];
}

function describeReference({ name, uid }: ObjectReference, objects: readonly KubernetesObject[]): string {
  const found = objects.find(({ metadata }) => metadata.name === name);
  if (found === undefined) return `${name}, which does not exist`;
  const { uid: foundUid, deletionTimestamp } = found.metadata;
  if (uid !== foundUid) return `${name} with uid ${uid}, whose name another with uid ${foundUid} has`;
  return `${name}, which ${deletionTimestamp === undefined ? "exists" : "is being deleted"}`;
}

function readiness(status: { readyToUse?: boolean; error?: { message?: string } } | undefined): string[] {
  const error = status?.error?.message;
  return [status?.readyToUse === true ? "ready" : "not ready", error === undefined ? "no error" : `error: ${error}`];
}

function listed(names: readonly string[]): string {
  return `[${names.join(", ")}]`;
}
