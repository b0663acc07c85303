import { operandImageNames } from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";

/** As the originals name them, and the one image of all sidecars in one. */
export const driverImageNames = [...operandImageNames, "SIDECARS_IMAGE"] as const;

/** With those that only this driver has. */
export function driverImagesOf({ ownImages = {} }: Pick<DriverProfile, "ownImages">): string[] {
  return [...driverImageNames, ...Object.keys(ownImages)];
}

/** Where a driver is. */
export interface DriverPlace {
  readonly namespace: string;
  /** Of the controller, where that is in another cluster than the nodes. */
  readonly controllerNamespace?: string;
}

/** What every asset of a driver may have. */
export function driverPlaceholders({
  namespace,
  controllerNamespace = namespace,
}: DriverPlace): Readonly<Record<string, string | undefined>> {
  return {
    NAMESPACE: controllerNamespace,
    NODE_NAMESPACE: namespace,
    CONTROLPLANE_NAMESPACE: controllerNamespace,
  };
}
