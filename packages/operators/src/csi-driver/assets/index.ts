/**
 * From a driver's profile and composed assets to what its operator applies, without asking anybody: a running operator and
 * `stowage render` go through the same functions. In reading order:
 *
 * - `driver-assets.ts`: which file is what, by its name
 * - `sidecars-mode.ts`: separate sidecars or all in one, as the ClusterCSIDriver says
 * - `driver-placeholders.ts`: the values of `${NAMESPACE}` and the like, and the names of images
 * - `workload-specs.ts`: Deployment and DaemonSet with all of their hooks; `companion-specs.ts`: those of further workloads
 * - `static-objects.ts`: what is kept as it is in its asset
 * - `credentials-requests.ts`: what the operator asks the cluster for itself
 */

export { companionDaemonSets, companionDeployments } from "./companion-specs.ts";
export { credentialsOf } from "./credentials-requests.ts";
export { type DriverAssets, driverAssetsOf, readDriverAssets, type StaticAsset } from "./driver-assets.ts";
export { type DriverPlace, driverImageNames, driverImagesOf, driverPlaceholders } from "./driver-placeholders.ts";
export { csiDriverResource, staticResourcesOf } from "./static-objects.ts";
export {
  controllerSpec,
  type DriverWorkloadInput,
  type DriverWorkloadSpec,
  nodeSpec,
} from "./workload-specs.ts";
