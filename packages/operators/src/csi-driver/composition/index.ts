/**
 * Makes the assets of a driver, when they are generated and not when an operator runs. In reading order:
 *
 * - `driver-composition.ts`: what a driver says of itself
 * - `workload-bases.ts`, `service-bases.ts`, `rights.ts`: what every driver begins with
 * - `sidecar-table.ts`, `containers.ts`: the sidecars and the proxies before their metrics
 * - `draft.ts`: a base and what is laid over it, and the text that comes of it
 * - `controller-drafts.ts`, `node-drafts.ts`, `rights-drafts.ts`, `class-drafts.ts`: which assets there are
 * - `compose-driver.ts`: all of them
 */
export { composeDriver } from "./compose-driver.ts";
export type { CompositionInput, DriverComposition, SidecarRules } from "./driver-composition.ts";
