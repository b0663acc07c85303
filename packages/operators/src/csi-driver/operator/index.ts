/**
 * From a driver's profile to the controllers of its operator. In reading order:
 *
 * - `driver-operator.ts`: which controllers there are, and which begin before others
 * - `driver-copies.ts`, `driver-deps.ts`: what they know without asking, and what they are made with
 * - `static-controllers.ts`, `workload-controllers.ts`, `class-controllers.ts`: the driver's objects
 * - `serving-controller.ts`: certificates of the metrics, where the cluster makes none
 * - `presence-controller.ts`: before there is a ClusterCSIDriver
 */
export { createDriverOperator } from "./driver-operator.ts";
