/**
 * One program for every CSI driver. In reading order:
 *
 * - `driver-profile.ts`: what makes a driver: names, what to watch, hooks; `driver-context.ts` is what its own parts are made with
 * - `drivers/`: a folder for each, with its profile and its composed assets
 * - `assets/`: from profile and assets to what is applied, without asking anybody
 * - `operator/`: the controllers that keep it so
 * - `removal/`: how an optional driver goes: not while something uses it, and without leaving anything behind
 * - `render/`: what would be applied to a cluster that is not there
 * - `rights/`: what such an operator has to be allowed
 */
export { type DriverAssets, readDriverAssets } from "./assets/index.ts";
export type { DriverOperatorContext } from "./driver-context.ts";
export type { DriverProfile, SidecarsMode } from "./driver-profile.ts";
export { driverIds, loadDriverProfile } from "./drivers/index.ts";
export { createDriverOperator } from "./operator/index.ts";
export { type AssumedCluster, renderDriver } from "./render/index.ts";
export {
  type DriverOperatorRules,
  driverOperatorRules,
  guestOperatorRules,
  hostedOperatorRules,
} from "./rights/index.ts";
