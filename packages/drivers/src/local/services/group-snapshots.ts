import type { GroupControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { intentId } from "../state/intents.ts";
import type { GroupRecord } from "../state/records.ts";
import { idFor, refuseBrokenGroup, refuseBrokenSnapshot, requireVolume } from "./lookup.ts";
import { groupMessage } from "./messages.ts";
import { operate, withIntent } from "./operation.ts";
import { finishSnapshotDeletion } from "./recovery.ts";
import { takeSnapshots } from "./snapshot-taking.ts";

export function createGroupCalls(deps: LocalDeps): GroupControllerService {
  return {
    async createVolumeGroupSnapshot({ name, sourceVolumeIds }) {
      const subjects = [`group snapshot ${idFor(deps, "group", name)}`, ...sourceVolumeIds.map((id) => `volume ${id}`)];
      const record = await operate(deps, subjects, () => ensureGroup(deps, name, sourceVolumeIds), name);
      return { groupSnapshot: groupMessage(deps, record) };
    },
    async deleteVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }) {
      await operate(deps, [`group snapshot ${groupSnapshotId}`], () => deleteGroup(deps, groupSnapshotId, snapshotIds));
      return {};
    },
    async getVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }) {
      refuseBrokenGroup(deps, groupSnapshotId);
      const record = deps.state.groups.get(groupSnapshotId);
      if (!record) {
        throw refusal(
          "NOT_FOUND",
          `Group snapshot ${groupSnapshotId} is not on this node.`,
          "Check the group snapshot's id.",
        );
      }
      checkMembers(record, snapshotIds);
      return { groupSnapshot: groupMessage(deps, record) };
    },
  };
}

async function ensureGroup(deps: LocalDeps, name: string, volumeIds: readonly string[]): Promise<GroupRecord> {
  const { groups } = deps.state;
  const id = idFor(deps, "group", name);
  refuseBrokenGroup(deps, id);
  const existing = groups.get(id);
  if (existing) {
    if (isSameSet(existing.volumeIds, volumeIds)) return existing;
    throw refusal(
      "ALREADY_EXISTS",
      `Group snapshot ${id} has the name ${name} and other volumes.`,
      "Use another name.",
    );
  }
  const plans = volumeIds.map((volumeId) => {
    const memberName = `${name}/${volumeId}`;
    const memberId = idFor(deps, "snap", memberName);
    // Taking it again would write over what the damaged state file stood for.
    refuseBrokenSnapshot(deps, memberId);
    return { id: memberId, name: memberName, volume: requireVolume(deps, volumeId) };
  });
  await takeSnapshots(deps, plans, { id, name });
  const made = groups.get(id);
  if (!made) throw new Error(`group snapshot ${id} was not taken`);
  return made;
}

export async function deleteGroup(deps: LocalDeps, id: string, snapshotIds: readonly string[]): Promise<void> {
  refuseBrokenGroup(deps, id);
  const record = deps.state.groups.get(id);
  if (!record) return;
  checkMembers(record, snapshotIds);
  for (const member of record.snapshotIds) refuseBrokenSnapshot(deps, member);
  const work = { snapshotIds: record.snapshotIds, volumeIds: [], groupId: id };
  const intent = { id: intentId("delete-snapshots", id), operation: "delete-snapshots", ...work } as const;
  await withIntent(deps, intent, () => finishSnapshotDeletion(deps, work));
}

/** The caller names the members too, to show that it means the same group. */
function checkMembers(record: GroupRecord, snapshotIds: readonly string[]): void {
  if (snapshotIds.length === 0 || isSameSet(record.snapshotIds, snapshotIds)) return;
  const complaint = `The snapshots given are not those of group snapshot ${record.id}.`;
  throw refusal("INVALID_ARGUMENT", complaint, `Its snapshots are ${record.snapshotIds.join(", ")}.`);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
