import type { MessageInitShape, VolumeCapabilitySchema } from "@stowage/csi";
import { csiAccessMode, mergedAccessMode } from "./access-modes.ts";
import type { DriverProfile } from "./driver-profile.ts";

type VolumeCapabilityInit = MessageInitShape<typeof VolumeCapabilitySchema>;

/** How a volume is to be used. */
export interface MountWish {
  /** `Block`, or anything else for a file system. */
  readonly volumeMode?: string;
  readonly fsType?: string;
  readonly mountOptions?: readonly string[];
}

export function volumeCapability(
  accessMode: string,
  wish: MountWish,
  driver: Pick<DriverProfile, "controller">,
): VolumeCapabilityInit {
  return { accessMode: { mode: csiAccessMode(accessMode, driver) }, accessType: accessType(wish) };
}

/** One capability for all access modes of a volume, for calls that take one. */
export function mergedVolumeCapability(
  accessModes: readonly string[],
  wish: MountWish,
  driver: Pick<DriverProfile, "controller">,
): VolumeCapabilityInit {
  return { accessMode: { mode: mergedAccessMode(accessModes, driver) }, accessType: accessType(wish) };
}

function accessType({ volumeMode, fsType = "", mountOptions = [] }: MountWish): VolumeCapabilityInit["accessType"] {
  if (volumeMode === "Block") return { case: "block", value: {} };
  return { case: "mount", value: { fsType, mountFlags: [...mountOptions] } };
}
