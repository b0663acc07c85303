import type { LocalDeps } from "../local-deps.ts";
import type { ContentSource, GroupRecord, SnapshotRecord, VolumeRecord } from "../state/records.ts";
import type { Ailment } from "../storage/ailment.ts";

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

export function snapshotMessage(deps: LocalDeps, record: SnapshotRecord) {
  return {
    snapshotId: record.id,
    sourceVolumeId: record.volumeId,
    sizeBytes: record.sizeBytes,
    creationTime: timestamp(record.createdAtMs),
    readyToUse: true,
    groupSnapshotId: record.groupId ?? "",
    // A driver that tells it must offer SNAPSHOT_ACCESSIBILITY_CONSTRAINTS, which CSI 1.12 does not have.
    accessibleTopology: deps.options.gate13 ? [topologyOf(deps)] : [],
  };
}

export function groupMessage(deps: LocalDeps, record: GroupRecord) {
  const members = record.snapshotIds.map((id) => deps.state.snapshots.get(id)).filter((member) => member !== undefined);
  return {
    groupSnapshotId: record.id,
    snapshots: members.map((member) => snapshotMessage(deps, member)),
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

/** The volume's health as CSI tells it until 1.12. */
export function conditionOf({ contents }: LocalDeps, ailments: readonly Ailment[]): Condition {
  if (ailments.length > 0) return { abnormal: true, message: ailments.map(({ message }) => message).join(" ") };
  const message =
    contents.kind === "image" ? "The volume is whole." : "The volume is a directory: its size is not enforced.";
  return { abnormal: false, message };
}
