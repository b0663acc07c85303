/**
 * What files are generated from; no running operator loads it. `driver-operator-objects.ts` makes what is applied for the operator of
 * a driver, with `patches/` for what is its own; `payload.ts` the parts of the storage operator's own manifests that repeat a table:
 * its rights (`storage-operator-rights.ts`), the roles of sidecars (`sidecar-roles.ts`), and its Deployment with all images
 * (`operator-pod.ts`, `payload-images.ts`).
 */
export { driverOperatorObjects } from "./driver-operator-objects.ts";
export { payloadObjects } from "./payload.ts";
export type { Rights } from "./role-objects.ts";
