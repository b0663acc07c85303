/** What a component serves about itself over HTTP: `/metrics` and its health checks. */
export {
  type Check,
  type CheckResult,
  type ServingOptions,
  type ServingServer,
  startServing,
} from "./serving-server.ts";
