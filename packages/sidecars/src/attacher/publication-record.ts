import { createHash } from "node:crypto";
import type { PersistentVolume, VolumeAttachment } from "@stowage/machinery";

/**
 * Of PersistentVolumes, one for each node; a digest of the node's name follows, since that may be too long for a key. Renamed, what
 * earlier versions wrote would never be found.
 */
const KEY_PREFIX = "published.stowage.dev/";
const DIGEST_LENGTH = 32;

/**
 * That a volume is, or may be, published to a node. It stands on the PersistentVolume, which the attacher's finalizer keeps, from
 * before the driver is asked to attach until it has said that the volume is detached: a VolumeAttachment may go past a finalizer
 * that is new, and then nothing else would tell.
 */
export interface PublicationRecord {
  /** The VolumeAttachment's name. */
  readonly attachment: string;
  readonly attachmentUid: string;
  readonly node: string;
  readonly nodeId: string;
}

/** With whose it is: a copy from a backup, in another cluster perhaps, says nothing of what is published there. */
interface StoredRecord extends PublicationRecord {
  readonly volumeUid: string;
}

export function recordOf({ metadata, spec }: VolumeAttachment, nodeId: string): PublicationRecord {
  return { attachment: metadata.name ?? "", attachmentUid: metadata.uid ?? "", node: spec.nodeName, nodeId };
}

export function recordKey(node: string): string {
  return KEY_PREFIX + createHash("sha256").update(node).digest("hex").slice(0, DIGEST_LENGTH);
}

export function recordValue({ metadata }: PersistentVolume, record: PublicationRecord): string {
  const { attachment, attachmentUid, node, nodeId } = record;
  const stored: StoredRecord = { attachment, attachmentUid, node, nodeId, volumeUid: metadata.uid ?? "" };
  return JSON.stringify(stored);
}

export function publicationRecords({ metadata }: PersistentVolume): PublicationRecord[] {
  return Object.entries(metadata.annotations ?? {})
    .filter(([key]) => key.startsWith(KEY_PREFIX))
    .map(([, value]) => parsed(value))
    .filter((stored) => stored !== undefined && stored.volumeUid === (metadata.uid ?? "")) as StoredRecord[];
}

/** Undefined for what is not one of ours: somebody else may have written anything under the key. */
function parsed(value: string): StoredRecord | undefined {
  try {
    const stored = JSON.parse(value) as Partial<StoredRecord> | null;
    const fields = [stored?.attachment, stored?.attachmentUid, stored?.node, stored?.nodeId, stored?.volumeUid];
    return fields.every((field) => typeof field === "string") ? (stored as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
}
