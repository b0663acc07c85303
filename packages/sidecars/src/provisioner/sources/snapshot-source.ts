import {
  type PersistentVolumeClaim,
  provisioningFinalizers,
  Quantity,
  StowageError,
  snapshotLabels,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from "@stowage/machinery";
import { type ContentSourceInit, requestedBytes, specOf } from "../requests/index.ts";

export interface RestoreSubject {
  /** The claim to fill. */
  readonly claim: PersistentVolumeClaim;
  readonly snapshot: VolumeSnapshot;
  /** The one that the snapshot says it is bound to. */
  readonly content: VolumeSnapshotContent | undefined;
  readonly driverName: string;
  readonly preventVolumeModeConversion: boolean;
  /** Where the volume is to be made, when each node makes its own; it has its own snapshots alone. */
  readonly nodeName?: string | undefined;
}

/** The source is on another node than the one that was selected. */
export class SourceElsewhere extends StowageError {
  override readonly name = "SourceElsewhere";
  readonly nodeName: string;

  constructor(message: string, nodeName: string) {
    super("TOPOLOGY_RESCHEDULE", message);
    this.nodeName = nodeName;
  }
}

const ALLOW_MODE_CHANGE = "snapshot.storage.kubernetes.io/allow-volume-mode-change";
/** What Go's strconv.ParseBool takes for yes. */
const YES: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** The snapshot to restore, for CreateVolume. Throws DATA_SOURCE_UNUSABLE, or TOPOLOGY_RESCHEDULE when it is on another node. */
export function desiredSnapshotSource(subject: RestoreSubject): ContentSourceInit {
  const { snapshot, content, driverName } = subject;
  const name = `the snapshot ${snapshot.metadata.namespace}/${snapshot.metadata.name}`;
  checkAlive(snapshot, name);
  if (content === undefined) return unusable(`${name} is not bound to a content that exists`);
  const { volumeSnapshotRef, driver } = content.spec;
  const isItsOwn =
    volumeSnapshotRef.uid === snapshot.metadata.uid &&
    volumeSnapshotRef.namespace === snapshot.metadata.namespace &&
    volumeSnapshotRef.name === snapshot.metadata.name;
  if (!isItsOwn) return unusable(`the content ${content.metadata.name} of ${name} belongs to another snapshot`);
  if (driver !== driverName) return unusable(`${name} is of the driver ${driver}, not of ${driverName}`);
  if (snapshot.status?.readyToUse !== true) return unusable(`${name} is not ready to use yet`);
  const snapshotId = content.status?.snapshotHandle;
  if (snapshotId === undefined) return unusable(`the content ${content.metadata.name} of ${name} has no handle yet`);
  checkSize(subject, name);
  checkMode(subject, content);
  checkPlace(subject, content, name);
  return { type: { case: "snapshot", value: { snapshotId } } };
}

function checkPlace({ nodeName }: RestoreSubject, { metadata }: VolumeSnapshotContent, name: string): void {
  const place = metadata.labels?.[snapshotLabels.managedBy];
  if (nodeName === undefined || place === undefined || place === nodeName) return;
  throw new SourceElsewhere(`${name} is on the node ${place}, not on ${nodeName}`, place);
}

/** One that is being deleted may still be restored by whoever began before, so that what was begun is not left behind. */
function checkAlive({ metadata }: VolumeSnapshot, name: string): void {
  const wasBegun = metadata.finalizers?.includes(provisioningFinalizers.snapshotSourceProtection) ?? false;
  if (metadata.deletionTimestamp !== undefined && !wasBegun) unusable(`${name} is being deleted`);
}

function checkSize({ claim, snapshot }: RestoreSubject, name: string): void {
  const restoreSize = snapshot.status?.restoreSize;
  if (restoreSize === undefined) return;
  const [asked, needed] = [requestedBytes(claim), Quantity.fromJson(restoreSize).toBytes()];
  if (asked < needed) unusable(`the claim asks for ${asked} bytes, but ${name} needs ${needed}`);
}

function checkMode({ claim, preventVolumeModeConversion }: RestoreSubject, content: VolumeSnapshotContent): void {
  const { sourceVolumeMode } = content.spec;
  const { volumeMode } = specOf(claim);
  if (!preventVolumeModeConversion || sourceVolumeMode === undefined || volumeMode === undefined) return;
  if (sourceVolumeMode === volumeMode || YES.has(content.metadata.annotations?.[ALLOW_MODE_CHANGE] ?? "")) return;
  throw new StowageError(
    "DATA_SOURCE_UNUSABLE",
    `the claim asks for ${volumeMode}, but its snapshot is of a ${sourceVolumeMode} volume`,
    {
      nextStep: `Ask for ${sourceVolumeMode}, or have an administrator allow the change by the annotation ${ALLOW_MODE_CHANGE}=true on VolumeSnapshotContent ${content.metadata.name}.`,
    },
  );
}

function unusable(message: string): never {
  throw new StowageError("DATA_SOURCE_UNUSABLE", message);
}
