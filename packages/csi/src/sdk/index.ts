/**
 * For authors of CSI drivers: write plain async functions, and `serveDriver` does the rest. In reading order:
 *
 * - `driver.ts`: what an author writes
 * - `serve-driver.ts`, `serve-options.ts`: serves it, until told to stop
 * - `capabilities.ts`, `services.ts`: what is offered, derived from what was written
 * - `requests/`: what is checked before a driver's function is called, and what may not run at once
 * - `calls/`: one call: its log, metrics, secrets and errors
 * - `server/`: sockets, and stopping without cutting calls off
 * - `health/`: `/healthz`, `/readyz` and `/metrics`
 * - `registration/`: makes the driver known to kubelet
 */
export type {
  CallContext,
  ControllerService,
  Driver,
  DriverTraits,
  GroupControllerService,
  NodeService,
  Rpc,
} from "./driver.ts";
export {
  type HealthCheck,
  type HealthServer,
  type HealthServerOptions,
  startHealthServer,
} from "./health/health-server.ts";
export { FolderWatch } from "./registration/folder-watch.ts";
export { type RegistrationDeps, type RegistrationOptions, registerDriver } from "./registration/register-driver.ts";
export { serveDriver } from "./serve-driver.ts";
export type { ServedAddresses, ServeOptions } from "./serve-options.ts";
