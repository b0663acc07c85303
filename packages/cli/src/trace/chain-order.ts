import type { Step } from "./step.ts";

/**
 * What a volume goes through, in order: `kind object` of what was made and deleted, reasons of events, methods of calls. Most times have
 * no more than a second, and a volume is often made, attached and mounted within one: then this decides what is shown first. What tells that a
 * call failed stands right after the call.
 */
const chain = [
  "created PersistentVolumeClaim",
  "WaitForFirstConsumer",
  "WaitForPodScheduled",
  "created Pod",
  "FailedScheduling",
  "ExternalProvisioning",
  "Provisioning",
  "CreateVolume",
  "ProvisioningFailed",
  "created PersistentVolume",
  "ProvisioningSucceeded",
  "write PersistentVolume",
  "condition PersistentVolume",
  "write PersistentVolumeClaim",
  "condition PersistentVolumeClaim",
  "Scheduled",
  "created VolumeAttachment",
  "ControllerPublishVolume",
  "FailedAttachVolume",
  "write VolumeAttachment",
  "SuccessfulAttachVolume",
  "NodeStageVolume",
  "NodePublishVolume",
  "FailedMount",
  "Pulling",
  "Pulled",
  "Created",
  "Started",
  "write Pod",
  "condition Pod",
  "Resizing",
  "ControllerExpandVolume",
  "VolumeResizeFailed",
  "FileSystemResizeRequired",
  "NodeExpandVolume",
  "FileSystemResizeSuccessful",
  "created VolumeSnapshot",
  "CreatingSnapshot",
  "CreateSnapshot",
  "SnapshotCreated",
  "SnapshotReady",
  "write VolumeSnapshot",
  "condition VolumeSnapshot",
  "deleted VolumeSnapshot",
  "DeleteSnapshot",
  "deleted Pod",
  "Killing",
  "NodeUnpublishVolume",
  "NodeUnstageVolume",
  "deleted VolumeAttachment",
  "ControllerUnpublishVolume",
  "deleted PersistentVolumeClaim",
  "deleted PersistentVolume",
  "DeleteVolume",
  "VolumeFailedDelete",
] as const;

const ranks: ReadonlyMap<string, number> = new Map(chain.map((what, index) => [what, index]));

/** What is not known comes after what is. */
export function rankOf(what: string): number {
  return ranks.get(what) ?? chain.length;
}

const SECOND_MS = 1000;

/** By time; within a second of which no more is known, a step comes after all that leads to it. */
export function inOrder(steps: readonly Step[]): readonly Step[] {
  const exact = Map.groupBy(
    steps.filter(({ isExact }) => isExact),
    ({ atMs }) => secondOf(atMs),
  );
  const keyOf = (step: Step) => {
    if (step.isExact) return step.atMs;
    const before = (exact.get(secondOf(step.atMs)) ?? []).filter((other) => leadsTo(other, step));
    return Math.max(step.atMs, ...before.map(({ atMs }) => atMs));
  };
  return steps
    .map((step) => ({ step, key: keyOf(step) }))
    .toSorted((a, b) => a.key - b.key || a.step.rank - b.step.rank)
    .map(({ step }) => step);
}

/** A call that went well is not what a failure tells of: that was one before it. */
function leadsTo(before: Step, after: Step): boolean {
  const isOwnSuccess = after.isTrouble && before.code === "OK" && after.rank - before.rank === 1;
  return before.rank < after.rank && !isOwnSuccess;
}

function secondOf(timeMs: number): number {
  return Math.floor(timeMs / SECOND_MS);
}
