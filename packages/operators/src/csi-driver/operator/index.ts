/**
 * From a driver's profile to the controllers of its operator. In reading order:
 *
 * - `driver-operator.ts`: which controllers there are, and which begin before others
 * - `driver-copies.ts`, `fips-host.ts`, `driver-deps.ts`: what they know without asking, and what they are made with
 * - `controller-side.ts`: where the driver's controller is, which may be another cluster
 * - `static-controllers.ts`, `workload-controllers.ts`, `class-controllers.ts`: the driver's objects
 * - `credentials-controllers.ts`: what asks the cluster for a way into the cloud
 * - `last-removal.ts`: what goes after the workloads, where the driver can go
 * - `serving-controller.ts`: certificates of the metrics, where the cluster makes none
 * - `presence-controller.ts`: before there is a ClusterCSIDriver
 * - `driver-gate.ts`: before it is known whether the driver can be of any use
 */
export { createDriverOperator } from "./driver-operator.ts";
