import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from "@stowage/csi";
import type { AccessType, Attachment } from "./volume.ts";

const MULTI_NODE: ReadonlySet<Mode> = new Set([
  Mode.MULTI_NODE_READER_ONLY,
  Mode.MULTI_NODE_SINGLE_WRITER,
  Mode.MULTI_NODE_MULTI_WRITER,
]);

/** The SDK lets no capability without an access type through. */
export function accessTypeOf(capability: VolumeCapability): AccessType {
  return capability.accessType.case ?? "mount";
}

export function accessModeOf(capability: VolumeCapability | undefined): Mode {
  return capability?.accessMode?.mode ?? Mode.UNKNOWN;
}

export function allowsManyNodes(mode: Mode): boolean {
  return MULTI_NODE.has(mode);
}

/** On one node: the specification's table of NodePublishVolume with two target paths. */
export function allowsManyTargets(mode: Mode): boolean {
  return MULTI_NODE.has(mode) || mode === Mode.SINGLE_NODE_MULTI_WRITER;
}

export function attachmentOf(capability: VolumeCapability | undefined, isReadOnly: boolean): Attachment {
  return {
    accessType: capability === undefined ? "mount" : accessTypeOf(capability),
    accessMode: accessModeOf(capability),
    isReadOnly,
  };
}

export function isSameAttachment(a: Attachment, b: Attachment): boolean {
  return a.accessType === b.accessType && a.accessMode === b.accessMode && a.isReadOnly === b.isReadOnly;
}
