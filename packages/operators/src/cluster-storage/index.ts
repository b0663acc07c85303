/**
 * The cluster's storage operator. In reading order:
 *
 * - `storage-operator.ts` puts it together; `operators-side.ts` is where operators are, be it beside a hosted control plane
 * - `driver-operators/`: which drivers there are, and when the operator of each is started
 * - `driver-starter.ts` starts them, in a `controller-group.ts`; `driver-manager/` keeps the operator of one
 * - `default-storage-class-controller.ts`, `serving-certificates.ts`, `tls-settings-source.ts`: what else it says, makes and looks at
 * - `populators/`: the validator of claims that somebody else fills
 * - `assets/csidriveroperators/`: what is applied for the operator of each driver; generated
 * - `composition/`: what the assets, `packages/operators/manifests/` and `packages/operators/hosted/` are generated from
 */
export { type DriverOperatorEntry, driverOperators } from "./driver-operators/index.ts";
export { driversNamespace, storageOperatorLease, storageOperatorName, storageOperatorNamespace } from "./names.ts";
export { createStorageOperator } from "./storage-operator.ts";
