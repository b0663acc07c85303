/**
 * The cluster's storage operator. In reading order:
 *
 * - `storage-operator.ts` puts it together
 * - `driver-operators/`: which drivers there are, and when the operator of each is started
 * - `driver-starter.ts` starts them, in a `controller-group.ts`; `driver-manager/` keeps the operator of one
 * - `default-storage-class-controller.ts`, `serving-certificates.ts`, `tls-settings-source.ts`: what else it says, makes and looks at
 * - `assets/csidriveroperators/`: what is applied for the operator of each driver; generated
 * - `composition/`: what the assets and `packages/operators/manifests/` are generated from
 */
export { type DriverOperatorEntry, driverOperators } from "./driver-operators/index.ts";
export { driversNamespace, storageOperatorLease, storageOperatorName, storageOperatorNamespace } from "./names.ts";
export { createStorageOperator } from "./storage-operator.ts";
