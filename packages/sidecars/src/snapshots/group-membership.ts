import { createHash } from "node:crypto";
import { keyOf } from "@stowage/kube";
import type { OwnerReference, VolumeGroupSnapshot, VolumeSnapshot } from "@stowage/machinery";

const apiVersion = "groupsnapshot.storage.k8s.io/v1";
const kind = "VolumeGroupSnapshot";

const SNAPSHOT_PREFIX = "snapshot-";
const CONTENT_PREFIX = "snapcontent-";

/** The names of a member and of its content: the same at every try, and no other group's. */
export function memberNames(groupUid: string, volumeHandle: string): { snapshot: string; content: string } {
  const hash = createHash("sha256")
    .update(groupUid + volumeHandle)
    .digest("hex");
  return { snapshot: SNAPSHOT_PREFIX + hash, content: CONTENT_PREFIX + hash };
}

/** Of a member that was made with its group. */
export function memberContentName(snapshotName: string): string {
  return CONTENT_PREFIX + snapshotName.slice(SNAPSHOT_PREFIX.length);
}

export function groupOwnerReference({ metadata }: Pick<VolumeGroupSnapshot, "metadata">): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}

/** The name of the group that the snapshot is a member of, as its owner tells. */
export function owningGroupName({ metadata }: Pick<VolumeSnapshot, "metadata">): string | undefined {
  return (metadata.ownerReferences ?? []).find((owner) => owner.kind === kind && owner.apiVersion === apiVersion)?.name;
}

/** As index: members by the key of their group. */
export function owningGroupKeys(snapshot: VolumeSnapshot): string[] {
  const name = owningGroupName(snapshot);
  return name === undefined ? [] : [keyOf({ namespace: snapshot.metadata.namespace, name })];
}
