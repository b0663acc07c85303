/**
 * The caller's side of CSI. `createCsiClient` (in `csi-client.ts`) gives the driver's services as typed functions and what the
 * driver says about itself. Under it, in reading order: `service-client.ts` and `csi-call.ts` (one call), `connection.ts` (the
 * socket, across restarts of the driver), `readiness.ts` (the wait for a driver that starts), `driver-facts.ts` and
 * `capabilities.ts` (its name and what it can do), `call-metrics.ts`. `registration-client.ts` asks who wants to be registered.
 *
 * Each call has a deadline, and whatever goes wrong is a `CsiError`. Neither logs nor errors contain the secrets of a request.
 */
export { callMetrics } from "./call-metrics.ts";
export type {
  ControllerCapabilityName,
  GroupControllerCapabilityName,
  NodeCapabilityName,
  PluginCapabilityName,
} from "./capabilities.ts";
export type { ConnectionListener } from "./connection.ts";
export type { CallOptions } from "./csi-call.ts";
export { type CsiClient, type CsiClientOptions, createCsiClient } from "./csi-client.ts";
export type { DriverFacts, DriverServices } from "./driver-facts.ts";
export type { CallObserver, ObservedCall } from "./observed-call.ts";
export type { ReadinessOptions } from "./readiness.ts";
export {
  createRegistrationClient,
  type RegistrationClient,
  type RegistrationClientOptions,
} from "./registration-client.ts";
export type { ServiceClient } from "./service-client.ts";
