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
