import type { ObjectReader } from "@stowage/kube";
import { attachingReasons, type Clock, type Logger, type Node, type PersistentVolume } from "@stowage/machinery";
import type { ActualAttachment } from "./actual-attachments.ts";
import { type Attaching, attach, detach } from "./attach.ts";
import { isSharable } from "./attachable-volume.ts";
import { conflictMessage } from "./conflict-message.ts";
import type { DesiredAttachment, DesiredAttachments } from "./desired-attachments.ts";
import { desiredDetachment } from "./detachment-rule.ts";
import type { VolumeOperations } from "./volume-operations.ts";

/** What one volume is synced with. */
export interface VolumeSync extends Attaching {
  readonly desired: DesiredAttachments;
  readonly operations: VolumeOperations;
  readonly nodes: ObjectReader<Node>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Writes what is attached to the node into its status. */
  report(nodeName: string): Promise<void>;
  /** The volume is to be looked at again. */
  again(name: string, afterMs?: number): void;
}

/** Detaches the volume from nodes that do not need it, then attaches it where it is needed, so that one that moves can arrive. */
export async function syncAttachments(s: VolumeSync, name: string, signal: AbortSignal): Promise<void> {
  for (const attachment of s.actual.of(name)) {
    if (!s.desired.has(name, attachment.nodeName)) await detachUnwanted(s, attachment, signal);
  }
  for (const desired of s.desired.of(name)) attachWanted(s, desired, signal);
}

async function detachUnwanted(s: VolumeSync, attachment: ActualAttachment, signal: AbortSignal): Promise<void> {
  const { name, nodeName, volume } = attachment;
  const key = operationKey(name, nodeName, volume);
  if (s.operations.isRunning(key)) return;
  const backoffMs = s.operations.waitMs(key, "detach");
  if (backoffMs > 0) return s.again(name, backoffMs);
  const nowMs = s.clock.monotonicMs();
  attachment.unwantedSinceMs ??= nowMs;
  const { unwantedSinceMs: sinceMs } = attachment;
  const node = s.nodes.get({ name: nodeName });
  const decided = desiredDetachment({ isInUse: s.actual.isInUse(attachment), node, sinceMs, nowMs });
  if (decided.step === "wait") return s.again(name, decided.waitMs);
  // The node must know first that the volume goes: what it does not see there it does not mount.
  const wasReported = attachment.isReported;
  s.actual.report(attachment, false);
  try {
    await s.report(nodeName);
  } catch (error) {
    s.actual.report(attachment, wasReported);
    throw error;
  }
  const { isForced } = decided;
  s.operations.start(key, "detach", () => detach(s, attachment, { isForced, signal }), endOf(s, attachment, "detach"));
}

function attachWanted(s: VolumeSync, desired: DesiredAttachment, signal: AbortSignal): void {
  const { name, nodeName, volume } = desired;
  const key = operationKey(name, nodeName, volume);
  if (s.operations.isRunning(key)) return;
  const present = s.actual.get(name, nodeName);
  if (present?.isCertain) {
    present.unwantedSinceMs = undefined;
    return;
  }
  const holders = s.actual.of(name).filter(({ isCertain }) => isCertain);
  if (!isSharable(volume) && holders.length > 0) return tellConflict(s, desired, holders);
  const backoffMs = s.operations.waitMs(key, "attach");
  if (backoffMs > 0) return s.again(name, backoffMs);
  s.operations.start(key, "attach", () => attach(s, desired, signal), endOf(s, desired, "attach"));
}

/** What must not be attached to two nodes at once has one operation at a time, wherever it is. */
function operationKey(name: string, nodeName: string, volume: PersistentVolume | undefined): string {
  return isSharable(volume) ? `${name} ${nodeName}` : name;
}

function endOf(s: VolumeSync, { name, nodeName }: { name: string; nodeName: string }, operation: string) {
  return (error?: unknown) => {
    const about = { volume: name, node: nodeName, error };
    if (error === undefined) s.logger.info(about, `${operation} succeeded`);
    else s.logger.warn(about, `${operation} failed and will be tried again`);
    s.again(name);
  };
}

/** Once: nothing changes until the other node is done with it. */
function tellConflict(s: VolumeSync, desired: DesiredAttachment, holders: readonly ActualAttachment[]): void {
  if (desired.isConflictTold) return;
  desired.isConflictTold = true;
  const { name, volume, pods } = desired;
  const holding = new Set(holders.map(({ nodeName }) => nodeName));
  const users = s.desired
    .of(name)
    .filter(({ nodeName }) => holding.has(nodeName))
    .flatMap((other) => [...other.pods.values()]);
  for (const pod of pods.values()) {
    const message = conflictMessage(volume.metadata.name ?? "", pod, users);
    s.events.event(pod, "Warning", attachingReasons.failed, message);
  }
}
