import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import type { DriverProfile } from "./driver-profile.ts";

type KnowsControllerCapabilities = Pick<DriverProfile, "controller">;

/**
 * A Kubernetes access mode as the driver knows it. ReadWriteOnce means one node, not one Pod; a driver that can tell the two apart
 * says so by SINGLE_NODE_MULTI_WRITER and is then told which.
 */
export function csiAccessMode(mode: string, { controller }: KnowsControllerCapabilities): Mode {
  const tellsWritersApart = controller.has("SINGLE_NODE_MULTI_WRITER");
  switch (mode) {
    case "ReadWriteMany":
      return Mode.MULTI_NODE_MULTI_WRITER;
    case "ReadOnlyMany":
      return Mode.MULTI_NODE_READER_ONLY;
    case "ReadWriteOnce":
      return tellsWritersApart ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
    case "ReadWriteOncePod":
      return tellsWritersApart ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
    default:
      throw new StowageError("ACCESS_MODES_UNSUPPORTED", `unknown access mode ${JSON.stringify(mode)}`);
  }
}

/**
 * The one mode for a volume that has several, for calls that take one: the widest, if the others are part of it. To read on many
 * nodes and to write on one is not part of any.
 */
export function mergedAccessMode(modes: readonly string[], driver: KnowsControllerCapabilities): Mode {
  const has = (mode: string) => modes.includes(mode);
  const merged = has("ReadWriteMany")
    ? "ReadWriteMany"
    : has("ReadOnlyMany") && (has("ReadWriteOnce") || has("ReadWriteOncePod"))
      ? undefined
      : (["ReadOnlyMany", "ReadWriteOnce", "ReadWriteOncePod"].find(has) ?? modes[0]);
  if (merged === undefined) {
    const what = modes.length === 0 ? "none is given" : `${modes.join(" and ")} cannot be asked for in one call`;
    throw new StowageError("ACCESS_MODES_UNSUPPORTED", `cannot tell the driver the volume's access mode: ${what}`);
  }
  return csiAccessMode(merged, driver);
}
