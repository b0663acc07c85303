/**
 * Where a Service leads. `slice-controller.ts` writes EndpointSlices: `slice-plan.ts` decides which, of `slice-endpoints.ts`,
 * `endpoint-hints.ts` and `slice-reuse.ts`. `endpoints-controller.ts` writes Endpoints, of `endpoint-subsets.ts`. Both read Pods by
 * `service-pods.ts`.
 */
export { createEndpointsController } from "./endpoints-controller.ts";
export { createSliceController } from "./slice-controller.ts";
