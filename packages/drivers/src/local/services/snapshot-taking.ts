import { randomBytes } from "node:crypto";
import type { LocalDeps } from "../local-deps.ts";
import { moveDurably } from "../state/durable-file.ts";
import { intentId } from "../state/intents.ts";
import { partialSuffix, snapshotContentPath, volumeContentPath } from "../state/layout.ts";
import type { GroupRecord, SnapshotRecord, VolumeRecord } from "../state/records.ts";
import { requireSpace } from "./capacity.ts";
import { withIntent } from "./operation.ts";

export interface SnapshotPlan {
  readonly id: string;
  readonly name: string;
  readonly volume: VolumeRecord;
}

/** Takes the snapshots of one moment: all volumes are held still until all are copied. A group's record is written last. */
export async function takeSnapshots(
  deps: LocalDeps,
  plans: readonly SnapshotPlan[],
  group?: { readonly id: string; readonly name: string },
): Promise<SnapshotRecord[]> {
  const { state, options } = deps;
  const createdAtMs = options.clock.nowMs();
  const subject = group?.id ?? plans[0]?.id ?? "";
  await requireSpace(deps, `Snapshot ${subject}`, 0n);
  const intent = {
    id: intentId("create-snapshots", subject),
    operation: "create-snapshots",
    snapshotIds: plans.map(({ id }) => id),
    volumeIds: plans.map(({ volume }) => volume.id),
    groupId: group?.id,
  } as const;
  return withIntent(deps, intent, async () => {
    await captureAll(deps, plans);
    const records = plans.map((plan) => snapshotRecord(deps, plan, { createdAtMs, groupId: group?.id }));
    for (const record of records) await state.snapshots.put(record);
    if (group) await state.groups.put(groupRecord(deps, group, records));
    return records;
  });
}

async function captureAll(
  { state, contents, mounts, options }: LocalDeps,
  plans: readonly SnapshotPlan[],
): Promise<void> {
  const releases: (() => Promise<void>)[] = [];
  const partials: string[] = [];
  try {
    for (const { volume } of plans) releases.push(await mounts.quiesce(volumeContentPath(state.layout, volume.id)));
    for (const { id, volume } of plans) {
      const partial = `${snapshotContentPath(state.layout, id)}.${randomBytes(6).toString("hex")}${partialSuffix}`;
      partials.push(partial);
      await contents.capture(volumeContentPath(state.layout, volume.id), partial);
      await moveDurably(partial, snapshotContentPath(state.layout, id), options.faultPoint);
    }
  } catch (error) {
    for (const partial of partials) await contents.remove(partial);
    throw error;
  } finally {
    for (const release of releases) await release();
  }
}

function snapshotRecord(
  { options }: LocalDeps,
  { id, name, volume }: SnapshotPlan,
  { createdAtMs, groupId }: { readonly createdAtMs: number; readonly groupId?: string },
): SnapshotRecord {
  const { capacityBytes, access, fsType } = volume;
  const labels = options.extraLabels;
  return { id, name, volumeId: volume.id, sizeBytes: capacityBytes, access, fsType, labels, createdAtMs, groupId };
}

function groupRecord(
  { options }: LocalDeps,
  group: { readonly id: string; readonly name: string },
  members: readonly SnapshotRecord[],
): GroupRecord {
  return {
    ...group,
    snapshotIds: members.map(({ id }) => id),
    volumeIds: members.map(({ volumeId }) => volumeId),
    labels: options.extraLabels,
    createdAtMs: members[0]?.createdAtMs ?? 0,
  };
}
