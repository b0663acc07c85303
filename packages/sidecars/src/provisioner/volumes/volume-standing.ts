import { type PersistentVolume, provisioningAnnotations, provisioningFinalizers } from "@stowage/machinery";

const { volume: FINALIZER } = provisioningFinalizers;

/** What is to be done about a PV. */
export type VolumeStep = "nothing" | "addFinalizer" | "removeFinalizer" | "delete";

/** Released volumes of the driver go, unless they are to be kept; those in use get the finalizer that makes sure of it. */
export function desiredVolumeStep(volume: PersistentVolume, driverName: string): VolumeStep {
  if (!isOfDriver(volume, driverName)) return "nothing";
  const { deletionTimestamp, finalizers = [] } = volume.metadata;
  const isProtected = finalizers.includes(FINALIZER);
  const isGoing = deletionTimestamp !== undefined;
  if (volume.spec?.persistentVolumeReclaimPolicy !== "Delete") return isProtected ? "removeFinalizer" : "nothing";
  const phase = volume.status?.phase;
  if (phase === "Bound" && !isGoing && !isProtected) return "addFinalizer";
  // One that is going without the finalizer has been dealt with.
  const isDone = isGoing && !isProtected;
  return phase === "Released" && !isDone ? "delete" : "nothing";
}

/** Made by it, or, if made by hand, served by it. */
function isOfDriver({ metadata, spec }: PersistentVolume, driverName: string): boolean {
  const provisionedBy = metadata.annotations?.[provisioningAnnotations.provisionedBy];
  return (provisionedBy ?? spec?.csi?.driver) === driverName;
}
