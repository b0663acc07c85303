import { createHash } from "node:crypto";

/** Of VolumeAttachments. */
export const attachingAnnotations = {
  /** What the driver calls the node. Kept for the time when the node, and so its CSINode, is gone and the volume must be detached. */
  nodeId: "csi.alpha.kubernetes.io/node-id",
} as const;

/**
 * The driver's name with what only some names allow replaced, and an `X` where it would end in a dash. Finalizers and leases are
 * made from it; made differently, those of the original attacher would never be taken away.
 */
export function sanitizedDriverName(driver: string): string {
  const name = driver.replaceAll(/[^a-zA-Z0-9-]/gu, "-");
  return name.endsWith("-") ? `${name}X` : name;
}

/** Of a VolumeAttachment: it may be attached. Of a PersistentVolume: some VolumeAttachment may need it to be detached. */
export function attacherFinalizer(driver: string): string {
  return `external-attacher/${sanitizedDriverName(driver)}`;
}

/** Of Nodes. */
export const nodeVolumeAnnotations = {
  /** Volumes are attached to this node by Kubernetes' controllers, not by the node itself; set by kubelet. */
  managedAttach: "volumes.kubernetes.io/controller-managed-attach-detach",
} as const;

/** Of Nodes: whoever put it there knows that the node is down, so that its volumes may be detached without its word. */
export const outOfServiceTaint = "node.kubernetes.io/out-of-service";

/** Of events on Pods. */
export const attachingReasons = {
  succeeded: "SuccessfulAttachVolume",
  failed: "FailedAttachVolume",
} as const;

/** What `volumesAttached` and `volumesInUse` of a Node call a CSI volume. */
export function uniqueCsiVolumeName(driver: string, volumeHandle: string): string {
  return `kubernetes.io/csi/${driver}^${volumeHandle}`;
}

export interface CsiVolumeName {
  readonly driver: string;
  readonly volumeHandle: string;
}

/** Attachers, kubelet and people find the VolumeAttachment by this name: it must stay as it is. */
export function csiAttachmentName({ driver, volumeHandle }: CsiVolumeName, nodeName: string): string {
  return `csi-${createHash("sha256").update(`${volumeHandle}${driver}${nodeName}`).digest("hex")}`;
}
