import { operandImageNames } from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";

/** As the originals name them, and the one image of all sidecars in one. */
export const driverImageNames = [...operandImageNames, "SIDECARS_IMAGE"] as const;

/** What every asset of a driver may have. There is one cluster, so the controller's namespace is that of the nodes' Pods. */
export function driverPlaceholders({
  namespace,
}: Pick<DriverProfile, "namespace">): Readonly<Record<string, string | undefined>> {
  return { NAMESPACE: namespace, NODE_NAMESPACE: namespace, CONTROLPLANE_NAMESPACE: namespace };
}
