/** The loop of every controller, from where it is. */
export {
  type Controller,
  type ControllerDeps,
  type ControllerSpec,
  createController,
  type WatchFilter,
} from "@stowage/kube";
export { type BackoffLimits, type SyncContext, type SyncOutcome, TerminalError } from "@stowage/machinery";
