import { type ClusterCSIDriver, StowageError } from "@stowage/machinery";
import type { DriverProfile, SidecarsMode } from "../driver-profile.ts";

/** `spec.unsupportedConfigOverrides.sidecars` where it is there, else what the driver's profile has first. */
export function sidecarsModeOf(
  { sidecars }: Pick<DriverProfile, "sidecars">,
  { metadata, spec }: ClusterCSIDriver,
): SidecarsMode {
  const asked = spec.unsupportedConfigOverrides?.sidecars;
  if (asked === undefined || asked === null || asked === "") return sidecars[0];
  const mode = sidecars.find((each) => each === asked);
  if (mode !== undefined) return mode;
  throw new StowageError(
    "DRIVER_CONFIG_INVALID",
    `ClusterCSIDriver ${metadata.name}: spec.unsupportedConfigOverrides.sidecars is ${JSON.stringify(asked)}, ` +
      `and this driver has ${sidecars.join(" and ")}`,
    { nextStep: `Set the field to ${sidecars.join(" or ")}, or take it away.` },
  );
}
