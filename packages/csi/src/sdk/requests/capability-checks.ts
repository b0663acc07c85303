import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from "../../generated/csi_pb.js";
import { type FieldCheck, invalid } from "./violation.ts";

/** How a volume is to be used: as a device or a file system, by whom. Left out is fine: `required` is a check of its own. */
export const volumeCapability: FieldCheck<VolumeCapability | undefined> = (capability) => {
  if (capability === undefined) return undefined;
  if (capability.accessType.case === undefined) {
    return invalid("has no access type: set block or mount");
  }
  const mode = capability.accessMode?.mode ?? Mode.UNKNOWN;
  if (mode === Mode.UNKNOWN) return invalid("has no access mode: set one, such as SINGLE_NODE_WRITER");
  if (Mode[mode] === undefined) return invalid(`has access mode ${mode}, which is unknown: set one that CSI defines`);
  return undefined;
};

export const volumeCapabilities: FieldCheck<readonly VolumeCapability[]> = (capabilities) =>
  capabilities.map(volumeCapability).find((violation) => violation !== undefined);

/** One volume is a device or a file system. */
export const oneAccessType: FieldCheck<readonly VolumeCapability[]> = (capabilities) => {
  const types = new Set(capabilities.map(({ accessType }) => accessType.case));
  return types.has("block") && types.has("mount")
    ? invalid("asks for block and mount at once: ask for two volumes, or for one access type")
    : undefined;
};
