import { sidecarImages } from "../../images/usual-images.ts";
import { driverImagesOf } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";

/** What the environment says, and the usual image for what it does not. */
export function imagesOrUsual(
  profile: Pick<DriverProfile, "usualImage" | "ownImages">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { usualImage, ownImages } = profile;
  const usual: Readonly<Record<string, string>> = { ...sidecarImages, ...ownImages, DRIVER_IMAGE: usualImage };
  return Object.fromEntries(driverImagesOf(profile).map((name) => [name, env[name] || usual[name]]));
}
