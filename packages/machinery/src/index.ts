/**
 * Pure Kubernetes machinery: no I/O, so anything may import it. In reading order:
 *
 * - `api/`: the types of the API, generated from what a real API server serves, and `ResourceType`, which names a resource
 * - `quantity/`: resource quantities, exact
 * - `selectors/`: label and field selectors
 * - `conditions/`: status conditions and when they last changed
 * - `patches/`: JSON Patch, merge patch, strategic merge patch; imported as `@stowage/machinery/patches`, since it brings the merge
 *   keys of every API type along, which few need
 * - `apply/`: server-side apply: who owns which fields; imported as `@stowage/machinery/apply`, since it brings a table of all types
 * - `openshift-api/`: the types of what our operators own and read on OpenShift; TLS profiles; the CRDs for clusters without them,
 *   imported as `@stowage/machinery/openshift-crds`
 * - `certificates/`: X.509 certificates, written; imported as `@stowage/machinery/certificates`
 * - `crds/`: what CustomResourceDefinitions are written with; imported as `@stowage/machinery/crds`
 * - `structural/`: what CustomResourceDefinitions mean for objects: pruning, defaults, validation, rules in CEL; imported as
 *   `@stowage/machinery/structural`
 * - `snapshot-api/`: the types of VolumeSnapshots and VolumeGroupSnapshots, which come by CRD
 * - `storage/`: the annotations, finalizers, reasons and parameters of Kubernetes storage
 * - `time/`, `names/`: durations and times as Go writes them; names as Kubernetes allows them
 * - `errors/`: the one catalogue of error codes, and `StowageError`
 * - `clock.ts`, `logger.ts`: the seams for time and logs
 * - `keyed-lock.ts`: one piece of work at a time for each key
 * - `queue/`: which keys wait to be looked at, in which order, how long after a failure, and the workers that do it
 */
export * from "./api/index.ts";
export { type Clock, systemClock } from "./clock.ts";
export * from "./conditions/index.ts";
export { type CatalogueEntry, type ErrorCode, errorCatalogue } from "./errors/catalogue.ts";
export { hasErrorCode, StowageError, type StowageErrorOptions } from "./errors/stowage-error.ts";
export { KeyedLock } from "./keyed-lock.ts";
export { type Logger, silentLogger } from "./logger.ts";
export * from "./names/index.ts";
export * from "./openshift-api/index.ts";
export * from "./quantity/index.ts";
export * from "./queue/index.ts";
export * from "./selectors/index.ts";
export * from "./snapshot-api/index.ts";
export * from "./storage/index.ts";
export * from "./time/index.ts";
