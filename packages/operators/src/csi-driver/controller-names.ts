import type { DriverProfile, WatchedNames } from "./driver-profile.ts";

/** What the controller's Pods restart for, where they are. */
export function controllerNamesOf(
  { controller, hosted }: Pick<DriverProfile, "controller" | "hosted">,
  isHosted: boolean,
): WatchedNames {
  return isHosted ? (hosted?.controller ?? controller) : controller;
}
