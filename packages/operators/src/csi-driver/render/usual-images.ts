import { sidecarImages } from "../../images/usual-images.ts";
import { driverImageNames } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";

/** What the environment says, and the usual image for what it does not. */
export function imagesOrUsual(
  { usualImage }: Pick<DriverProfile, "usualImage">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const usual: Readonly<Record<string, string>> = { ...sidecarImages, DRIVER_IMAGE: usualImage };
  return Object.fromEntries(driverImageNames.map((name) => [name, env[name] || usual[name]]));
}
