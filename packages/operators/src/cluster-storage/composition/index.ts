/**
 * What files are generated from; no running operator loads it. `driver-operator-objects.ts` makes what is applied for the operator of
 * a driver, with `patches/` for what is its own and `alerts/` for what is made of its figures; `payload.ts` the parts of the storage operator's own manifests that repeat a table:
 * its rights (`storage-operator-rights.ts`), the roles of sidecars (`sidecar-roles.ts`), and its Deployment with all images
 * (`operator-pod.ts`, `payload-images.ts`). Beside a hosted control plane it is `hosted-operator-objects.ts` and `hosted-payload.ts`.
 */
export { driverOperatorObjects } from "./driver-operator-objects.ts";
export { controlPlaneNamespace, hostedOperatorObjects } from "./hosted-operator-objects.ts";
export { hostedPayloadObjects } from "./hosted-payload.ts";
export { payloadObjects } from "./payload.ts";
export type { Rights } from "./role-objects.ts";
