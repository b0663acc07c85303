import { isNotFound, objectKey } from "@stowage/kube";
import {
  groupSnapshotAnnotations,
  groupSnapshotReasons as reasons,
  snapshotFinalizers,
  snapshotReasons,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { failureText } from "../snapshots/index.ts";
import { refersTo } from "./binding.ts";
import { markBeingDeleted } from "./deletion-mark.ts";
import { groupContentNameOf } from "./desired-group-content.ts";
import { startGroupDeletion } from "./group-operations.ts";
import { indexes } from "./indexes.ts";
import type { Looked } from "./object-store.ts";
import { isBeingRestored } from "./snapshot-deletion.ts";
import type { GroupWorld, World } from "./world.ts";

/** Lets a group go: its content first, as the policy has it, and its members with it. */
export async function deleteGroup(world: World, groups: GroupWorld, group: VolumeGroupSnapshot): Promise<SyncOutcome> {
  if (!(group.metadata.finalizers ?? []).includes(snapshotFinalizers.groupBound)) return undefined;
  startGroupDeletion(world, groups, group);
  const members = world.snapshots.cached.byIndex(indexes.snapshotsOfGroup, objectKey(group));
  const restored = members.find((member) => isBeingRestored(world, member));
  if (restored !== undefined) {
    const what = `Snapshot ${objectKey(restored)} belonging to VolumeGroupSnapshot ${objectKey(group)}`;
    const message = `${what} is being used to restore a PVC. The group is deleted when that claim is bound or deleted.`;
    world.events.event(group, "Warning", reasons.deletePending, message);
    return { retry: true };
  }
  const { object: content, isWatched } = await contentOf(groups, group);
  if (content !== undefined) {
    const marked = await markBeingDeleted(groups.contents, content, groupSnapshotAnnotations.beingDeleted);
    if (content.spec.deletionPolicy === "Delete") await deleteContent(world, groups, { group, content: marked });
  }
  for (const member of members) await deleteMember(world, group, member);
  // When the content is gone the group is looked at again.
  if (content?.spec.deletionPolicy === "Delete") return isWatched ? undefined : { retry: true };
  const finalizers = (group.metadata.finalizers ?? []).filter((name) => name !== snapshotFinalizers.groupBound);
  await groups.snapshots.edit(group, { metadata: { finalizers } }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  return undefined;
}

async function contentOf(
  { contents }: GroupWorld,
  group: VolumeGroupSnapshot,
): Promise<Looked<VolumeGroupSnapshotContent>> {
  const { status, spec, metadata } = group;
  const name =
    status?.boundVolumeGroupSnapshotContentName ??
    spec.source.volumeGroupSnapshotContentName ??
    groupContentNameOf(group);
  const { object: content, isWatched } = await contents.look({ name });
  const isOurs = content !== undefined && refersTo(content.spec.volumeGroupSnapshotRef, metadata);
  return { object: isOurs ? content : undefined, isWatched };
}

async function deleteContent(
  { events }: World,
  { contents }: GroupWorld,
  { group, content }: { readonly group: VolumeGroupSnapshot; readonly content: VolumeGroupSnapshotContent },
): Promise<void> {
  if (content.metadata.deletionTimestamp !== undefined) return;
  await contents.delete(content).catch((error: unknown) => {
    const message = `Failed to delete group snapshot content API object: ${failureText(error)}`;
    events.event(group, "Warning", reasons.contentDeleteError, message);
    throw error;
  });
}

async function deleteMember(world: World, group: VolumeGroupSnapshot, member: VolumeSnapshot): Promise<void> {
  if (member.metadata.deletionTimestamp !== undefined) return;
  await world.snapshots.delete(member).catch((error: unknown) => {
    const what = `failed to delete snapshot API object ${objectKey(member)} part of group snapshot ${objectKey(group)}`;
    world.events.event(group, "Warning", snapshotReasons.deleteError, `${what}: ${failureText(error)}`);
    throw error;
  });
}
