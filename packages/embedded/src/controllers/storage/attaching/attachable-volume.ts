import { keyOf, type ObjectReader } from "@stowage/kube";
import {
  type CSIDriver,
  type CsiVolumeName,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  uniqueCsiVolumeName,
  type Volume,
} from "@stowage/machinery";
import { claimNameOf, isMadeForPod } from "../pod-volumes.ts";

/** What is known of claims, volumes and drivers. */
export interface VolumeObjects {
  readonly claims: Pick<ObjectReader<PersistentVolumeClaim>, "getByKey">;
  readonly volumes: Pick<ObjectReader<PersistentVolume>, "getByKey">;
  readonly drivers: Pick<ObjectReader<CSIDriver>, "getByKey">;
}

/** A volume that has to be attached to a node before it can be mounted there. */
export interface AttachableVolume {
  /** What `volumesAttached` and `volumesInUse` of Nodes call it. */
  readonly name: string;
  readonly volume: PersistentVolume;
}

/** What a volume of a Pod needs attached; undefined when it needs nothing, or is not bound yet. */
export function attachableVolume(pod: Pod, podVolume: Volume, objects: VolumeObjects): AttachableVolume | undefined {
  const { name = "", namespace } = pod.metadata;
  const claimName = claimNameOf(name, podVolume);
  const claim = claimName === undefined ? undefined : objects.claims.getByKey(keyOf({ namespace, name: claimName }));
  if (claim === undefined || claim.status?.phase !== "Bound") return undefined;
  if (podVolume.ephemeral !== undefined && !isMadeForPod(claim, pod)) return undefined;
  const volume = objects.volumes.getByKey(claim.spec?.volumeName ?? "");
  if (volume === undefined || volume.spec?.claimRef?.uid !== claim.metadata.uid) return undefined;
  return attachable(volume, objects);
}

/** Only CSI volumes are, unless their driver says that it has no use for it. */
export function attachable(
  volume: PersistentVolume,
  { drivers }: Pick<VolumeObjects, "drivers">,
): AttachableVolume | undefined {
  const csi = volume.spec?.csi;
  if (csi === undefined || drivers.getByKey(csi.driver)?.spec.attachRequired === false) return undefined;
  return { name: uniqueCsiVolumeName(csi.driver, csi.volumeHandle), volume };
}

/** Whether it may be attached to several nodes at once. What is not known is left for the driver to refuse. */
export function isSharable(volume: PersistentVolume | undefined): boolean {
  const modes = volume?.spec?.accessModes ?? [];
  return modes.length === 0 || modes.some((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
}

/** By its unique name, for when the PersistentVolume is gone; undefined for a volume that is not CSI's. */
export function csiVolumeNamed(uniqueName: string): CsiVolumeName | undefined {
  const [, driver, volumeHandle] = /^kubernetes\.io\/csi\/([^^]+)\^(.+)$/su.exec(uniqueName) ?? [];
  return driver === undefined || volumeHandle === undefined ? undefined : { driver, volumeHandle };
}
