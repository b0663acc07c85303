import { configMaps, leases, type PolicyRule } from "@stowage/machinery";
import { mayAll, mayNamed } from "../../rights/rule-list.ts";
import type { DriverAssets } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import { journalPrefix, leaseNames } from "./leftovers.ts";
import { usageKinds } from "./usage-kinds.ts";

/** In the whole cluster: to know who uses the driver. None of it is read before somebody wants to remove the driver. */
export function usageRules({ isRemovable }: Pick<DriverProfile, "isRemovable">): PolicyRule[] {
  if (!isRemovable) return [];
  return Object.values(usageKinds).map(({ type }) => mayAll(type, "list", "watch"));
}

/** In the driver's namespace: to clear up after the sidecars. */
export function leftoverRules(profile: DriverProfile, { controller }: DriverAssets): PolicyRule[] {
  if (!profile.isRemovable) return [];
  // There is a journal for each node, and rights know no beginnings of names.
  if (controller === undefined) return [mayAll(configMaps, "delete")];
  return [
    mayNamed(leases, leaseNames(profile.driverName), "delete"),
    mayNamed(configMaps, [journalPrefix(profile.driverName)], "delete"),
  ];
}
