import { StowageError } from "@stowage/machinery";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";
import { hostedAssetFolders } from "./generated/hosted-asset-folders.ts";

/** As the driver's profile says: there are assets only of those that do. */
export function runsHosted({ id }: Pick<DriverOperatorEntry, "id">): boolean {
  return Object.hasOwn(hostedAssetFolders, id);
}

/** What is applied for the operator beside a hosted control plane: see `driver-assets.ts`. */
export function hostedAssetsOf({ id }: Pick<DriverOperatorEntry, "id">): URL {
  const folder = hostedAssetFolders[id];
  if (folder !== undefined) return folder;
  throw new StowageError("DRIVER_NOT_HOSTED", `${id} does not run beside a hosted control plane`);
}
