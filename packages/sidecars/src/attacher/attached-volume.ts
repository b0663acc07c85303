import {
  type CSIPersistentVolumeSource,
  type PersistentVolume,
  type PersistentVolumeSpec,
  StowageError,
  type VolumeAttachment,
} from "@stowage/machinery";

/** What a VolumeAttachment means to attach. */
export interface AttachedVolume {
  readonly csi: CSIPersistentVolumeSource;
  /** Of the PersistentVolume, or inline. */
  readonly spec: PersistentVolumeSpec;
  /** Missing for inline volumes. */
  readonly persistentVolume?: PersistentVolume;
}

type FindVolume = (name: string) => PersistentVolume | undefined;

/**
 * The volume behind a VolumeAttachment: that of its PersistentVolume, or the CSI volume in its `inlineVolumeSpec`. Volumes of
 * in-tree types are refused: they would have to be translated for each cloud, and no supported Kubernetes makes them any more.
 *
 * @throws StowageError VOLUME_ATTACHMENT_UNUSABLE
 */
export function attachedVolume(attachment: VolumeAttachment, findVolume: FindVolume): AttachedVolume {
  const { persistentVolumeName, inlineVolumeSpec } = attachment.spec.source;
  if (persistentVolumeName !== undefined && inlineVolumeSpec !== undefined)
    throw unusable("it names a PersistentVolume and has an inline volume as well");
  if (inlineVolumeSpec !== undefined)
    return { csi: csiSource(inlineVolumeSpec, "its inline volume"), spec: inlineVolumeSpec };
  if (persistentVolumeName === undefined) throw unusable("it names no PersistentVolume and has no inline volume");
  const persistentVolume = findVolume(persistentVolumeName);
  if (persistentVolume === undefined) throw missing(persistentVolumeName);
  const { spec = {} } = persistentVolume;
  return { csi: csiSource(spec, `PersistentVolume ${persistentVolumeName}`), spec, persistentVolume };
}

function csiSource({ csi }: PersistentVolumeSpec, what: string): CSIPersistentVolumeSource {
  if (csi !== undefined) return csi;
  throw unusable(
    `${what} is not a CSI volume`,
    `Move the data to a volume of a CSI driver; in-tree types are not attached.`,
  );
}

function missing(name: string): StowageError {
  return unusable(
    `PersistentVolume ${name} does not exist`,
    "Restore the PersistentVolume, so that it can be detached.",
  );
}

function unusable(why: string, nextStep?: string): StowageError {
  return new StowageError("VOLUME_ATTACHMENT_UNUSABLE", `the VolumeAttachment cannot be used: ${why}`, { nextStep });
}
