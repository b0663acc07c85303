import type { LocalDeps } from "../local-deps.ts";
import { volumeContentPath } from "../state/layout.ts";
import type { ContentSource, GroupRecord, SnapshotRecord, VolumeRecord } from "../state/records.ts";

/** The one topology key: a volume is where its node is. Part of every PV that exists. */
export const topologyKey = (driverName: string) => `topology.${driverName}/node`;

export function topologyOf({ options }: LocalDeps) {
  return { segments: { [topologyKey(options.driverName)]: options.nodeId } };
}

export function volumeMessage(deps: LocalDeps, record: VolumeRecord) {
  return {
    volumeId: record.id,
    capacityBytes: record.capacityBytes,
    volumeContext: {},
    contentSource: record.source && sourceMessage(record.source),
    accessibleTopology: [topologyOf(deps)],
  };
}

function sourceMessage({ kind, id }: ContentSource) {
  return kind === "snapshot"
    ? { type: { case: "snapshot" as const, value: { snapshotId: id } } }
    : { type: { case: "volume" as const, value: { volumeId: id } } };
}

export function snapshotMessage(record: SnapshotRecord) {
  return {
    snapshotId: record.id,
    sourceVolumeId: record.volumeId,
    sizeBytes: record.sizeBytes,
    creationTime: timestamp(record.createdAtMs),
    readyToUse: true,
    groupSnapshotId: record.groupId ?? "",
  };
}

export function groupMessage(deps: LocalDeps, record: GroupRecord) {
  const members = record.snapshotIds.map((id) => deps.state.snapshots.get(id)).filter((member) => member !== undefined);
  return {
    groupSnapshotId: record.id,
    snapshots: members.map(snapshotMessage),
    creationTime: timestamp(record.createdAtMs),
    readyToUse: true,
  };
}

function timestamp(ms: number) {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 };
}

export interface Condition {
  readonly abnormal: boolean;
  readonly message: string;
}

export async function conditionOf({ state, contents }: LocalDeps, record: VolumeRecord): Promise<Condition> {
  const path = volumeContentPath(state.layout, record.id);
  if (!(await contents.isThere(path))) {
    return {
      abnormal: true,
      message: `The content ${path} is not there; put it back from a backup or delete the volume.`,
    };
  }
  const message =
    contents.kind === "image" ? "The volume is whole." : "The volume is a directory: its size is not enforced.";
  return { abnormal: false, message };
}

export function brokenCondition(keptFile: string): Condition {
  return { abnormal: true, message: `The volume's state file was damaged and kept as ${keptFile}.` };
}
