/**
 * `controller.ts`: the loop. `sync-outcome.ts`: what a `sync` may say beside having succeeded. `terminal-error.ts`: a failure that
 * trying again would not mend.
 */
export {
  type Controller,
  type ControllerDeps,
  type ControllerSpec,
  createController,
  type SyncContext,
} from "./controller.ts";
export type { SyncOutcome } from "./sync-outcome.ts";
export { TerminalError } from "./terminal-error.ts";
