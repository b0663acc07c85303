/**
 * The chain of operators, from the top:
 *
 * - `version/` applies a payload's manifests in order, and keeps `ClusterVersion/version`
 * - `cluster-storage/` finds the platform, starts the operators of its drivers, and unions what they say into `ClusterOperator/storage`
 * - `csi-driver/` is one program for every driver: a folder each with a profile and assets, composed from common bases
 * - `rbac-proxy/` stands before the metrics of the driver's containers
 *
 * `rights/` puts rules of roles together, `program/` is what a process that runs one of them has to know of it, `assets/` reads the files that they carry. Each operator has a
 * door of its own (`@stowage/operators/csi-driver`), so that a process loads one alone.
 */
export * from "./assets/index.ts";
export * from "./program/index.ts";
