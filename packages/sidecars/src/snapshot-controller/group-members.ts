import { isAlreadyExists } from "@stowage/kube";
import type { VolumeGroupSnapshot, VolumeGroupSnapshotContent, VolumeSnapshot } from "@stowage/machinery";
import { memberNames } from "../snapshots/index.ts";
import { desiredMember, desiredMemberContent, type MemberParts, memberStatus } from "./desired-member.ts";
import { indexes, volumeHandleKey } from "./indexes.ts";
import type { World } from "./world.ts";

/** Makes what is missing of the members; true when all is there. Repeated until then: each step says whether it was done. */
export async function ensureMembers(
  world: World,
  group: VolumeGroupSnapshot,
  groupContent: VolumeGroupSnapshotContent,
): Promise<boolean> {
  const infos = groupContent.status?.volumeSnapshotInfoList ?? [];
  const results: boolean[] = [];
  for (const info of infos) {
    const key = volumeHandleKey(groupContent.spec.driver, info.volumeHandle ?? "");
    const volumes = world.volumes.byIndex(indexes.volumeHandle, key);
    const volume = volumes.length === 1 ? volumes[0] : undefined;
    results.push(await ensureMember(world, { group, groupContent, info, volume }));
  }
  return results.every((isDone) => isDone);
}

/** The snapshot first: the content then knows its uid from the start. */
async function ensureMember(world: World, parts: MemberParts): Promise<boolean> {
  const member = await memberOf(world, parts);
  if (member === undefined) return false;
  const names = memberNames(parts.group.metadata.uid ?? "", parts.info.volumeHandle ?? "");
  const existing = world.contents.get({ name: names.content });
  // A member that is being deleted gets no new content: nothing would ever take it away.
  if (existing === undefined && member.metadata.deletionTimestamp !== undefined) return true;
  const content = existing ?? (await created(world.contents.create(desiredMemberContent(parts, member))));
  if (content === undefined) return false;
  if (content.status?.snapshotHandle === undefined) await world.contents.editStatus(content, memberStatus(parts));
  return true;
}

async function memberOf(world: World, parts: MemberParts): Promise<VolumeSnapshot | undefined> {
  const desired = desiredMember(parts);
  const { name = "", namespace } = desired.metadata;
  return world.snapshots.get({ namespace, name }) ?? (await created(world.snapshots.create(desired)));
}

/** Undefined when it exists and the cache does not have it yet. */
async function created<T>(creation: Promise<T>): Promise<T | undefined> {
  try {
    return await creation;
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
}
