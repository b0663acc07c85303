import { parseManifests, replacePlaceholders } from "@stowage/operator";
import { type DriverAssets, driverPlaceholders } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";

/** Of the Deployment, the DaemonSet and their companions, which are the same in every mode of the sidecars. */
export function workloadNames(profile: DriverProfile, { controller, node, companions }: DriverAssets): string[] {
  const [mode] = profile.sidecars;
  return [controller?.[mode], node[mode], ...companions].flatMap((asset) => {
    if (asset === undefined) return [];
    const text = replacePlaceholders(asset.text, driverPlaceholders(profile));
    return parseManifests({ name: asset.name, text }).flatMap(({ metadata }) => metadata.name ?? []);
  });
}
