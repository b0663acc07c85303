import { type MessageInitShape, VolumeCapability_AccessMode_Mode, type VolumeCapabilitySchema } from "@stowage/csi";

/** How a volume is to be used, as the cluster says it. */
export interface VolumeUse {
  /** Of the PersistentVolume, the first counts; none for an inline volume. */
  readonly accessModes: readonly string[] | undefined;
  readonly isBlock: boolean;
  readonly fsType: string;
  readonly mountOptions: readonly string[];
  /** Whose group the files are to be, where the driver sees to that itself. */
  readonly mountGroup: number | undefined;
}

const modes: Readonly<Record<string, VolumeCapability_AccessMode_Mode>> = {
  ReadWriteOnce: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER,
  ReadOnlyMany: VolumeCapability_AccessMode_Mode.MULTI_NODE_READER_ONLY,
  ReadWriteMany: VolumeCapability_AccessMode_Mode.MULTI_NODE_MULTI_WRITER,
  ReadWriteOncePod: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER,
};
/** For drivers that tell one writer from several on one node. */
const exactModes: typeof modes = {
  ...modes,
  ReadWriteOnce: VolumeCapability_AccessMode_Mode.SINGLE_NODE_MULTI_WRITER,
  ReadWriteOncePod: VolumeCapability_AccessMode_Mode.SINGLE_NODE_SINGLE_WRITER,
};

/** As kubelet asks drivers for it. */
export function volumeCapability(
  use: VolumeUse,
  { knowsSingleWriters }: { readonly knowsSingleWriters: boolean },
): MessageInitShape<typeof VolumeCapabilitySchema> {
  const [wanted = "ReadWriteOnce"] = use.accessModes ?? [];
  const mode = (knowsSingleWriters ? exactModes : modes)[wanted] ?? VolumeCapability_AccessMode_Mode.UNKNOWN;
  const { fsType, mountOptions, mountGroup } = use;
  const mount = {
    fsType,
    mountFlags: [...mountOptions],
    ...(mountGroup !== undefined && { volumeMountGroup: String(mountGroup) }),
  };
  return {
    accessMode: { mode },
    accessType: use.isBlock ? { case: "block", value: {} } : { case: "mount", value: mount },
  };
}
