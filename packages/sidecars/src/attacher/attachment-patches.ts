import { grpcCodeNumber, isCsiError } from "@stowage/csi";
import type { Patch } from "@stowage/kube";
import {
  attachingAnnotations,
  formatTime,
  type PersistentVolume,
  StowageError,
  type VolumeAttachment,
  type VolumeError,
} from "@stowage/machinery";
import { type PublicationRecord, recordKey, recordValue } from "./publication-record.ts";

/**
 * What is written before the driver is asked to attach: from then on the VolumeAttachment stays until the volume is known to be
 * detached, and the node's id with it, whatever happens to this process, the driver or the node. Undefined when it is there already.
 */
export function attachIntentPatch(attachment: VolumeAttachment, finalizer: string, nodeId: string): Patch | undefined {
  const { finalizers = [], annotations, resourceVersion } = attachment.metadata;
  const hasFinalizer = finalizers.includes(finalizer);
  const hasNodeId = annotations?.[attachingAnnotations.nodeId] === nodeId;
  if (hasFinalizer && hasNodeId) return undefined;
  const metadata = {
    // The list is replaced as a whole, which is right only for the version that it was read from.
    ...(hasFinalizer ? {} : { resourceVersion, finalizers: [...finalizers, finalizer] }),
    ...(hasNodeId ? {} : { annotations: { [attachingAnnotations.nodeId]: nodeId } }),
  };
  return { type: "merge", patch: { metadata } };
}

/** Of the status: what the driver answered is for the node to read, and what is not in the answer any more must go. */
export function attachedPatch(attachment: VolumeAttachment, publishContext: Readonly<Record<string, string>>): Patch {
  const outdated = Object.keys(attachment.status?.attachmentMetadata ?? {}).map((key) => [key, null]);
  const attachmentMetadata = { ...Object.fromEntries(outdated), ...publishContext };
  const hasMetadata = Object.keys(attachmentMetadata).length > 0;
  const status = { attached: true, attachError: null, ...(hasMetadata ? { attachmentMetadata } : {}) };
  return { type: "merge", patch: { status } };
}

export function withoutFinalizerPatch(attachment: VolumeAttachment, finalizer: string): Patch {
  const { finalizers = [], resourceVersion } = attachment.metadata;
  const others = finalizers.filter((each) => each !== finalizer);
  return { type: "merge", patch: { metadata: { resourceVersion, finalizers: others.length === 0 ? null : others } } };
}

export function detachedPatch(): Patch {
  return { type: "merge", patch: { status: { attached: false, detachError: null, attachmentMetadata: null } } };
}

export function attachErrorPatch(error: unknown, nowMs: number): Patch {
  const errorCode = isCsiError(error) ? grpcCodeNumber(error.grpcCode) : null;
  return { type: "merge", patch: { status: { attachError: { ...volumeError(error, nowMs), errorCode } } } };
}

export function detachErrorPatch(error: unknown, nowMs: number): Patch {
  return { type: "merge", patch: { status: { detachError: volumeError(error, nowMs) } } };
}

/** The driver's error in the words that programs know from the original; any other with what can be done about it. */
function volumeError(error: unknown, nowMs: number): VolumeError {
  return { message: messageOf(error), time: formatTime(nowMs) };
}

function messageOf(error: unknown): string {
  if (isCsiError(error)) return error.goMessage;
  if (error instanceof StowageError) return `${error.message}. ${error.nextStep}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * What is written on the PersistentVolume before the driver is asked to attach it: that it must stay, and what it is published for.
 * Undefined when both are there already. Others change the lists at the same time, Kubernetes itself those of every new volume: a
 * strategic patch adds to what is there by then.
 */
export function volumeIntentPatch(
  volume: PersistentVolume,
  finalizer: string,
  record: PublicationRecord,
): Patch | undefined {
  const { finalizers = [], annotations = {} } = volume.metadata;
  const [key, value] = [recordKey(record.node), recordValue(volume, record)];
  const isProtected = finalizers.includes(finalizer);
  if (isProtected && annotations[key] === value) return undefined;
  const metadata = { ...(isProtected ? {} : { finalizers: [finalizer] }), annotations: { [key]: value } };
  return { type: "strategic", patch: { metadata } };
}

export function withoutRecordPatch(node: string): Patch {
  return { type: "merge", patch: { metadata: { annotations: { [recordKey(node)]: null } } } };
}

/** Fails as a whole when the list is not the one that was read. Undefined when the finalizer is not there. */
export function removeVolumeFinalizerPatch({ metadata }: PersistentVolume, finalizer: string): Patch | undefined {
  const index = metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index < 0) return undefined;
  const path = `/metadata/finalizers/${index}`;
  return {
    type: "json",
    patch: [
      { op: "test", path, value: finalizer },
      { op: "remove", path },
    ],
  };
}
