/**
 * `controller.ts`: the loop. `queue-feed.ts`: which changes of watched objects become keys. `sync-outcome.ts`: what a `sync` may
 * say beside having succeeded. `terminal-error.ts`: a failure that trying again would not mend.
 */
export {
  type Controller,
  type ControllerDeps,
  type ControllerSpec,
  createController,
  type SyncContext,
} from "./controller.ts";
export type { WatchFilter } from "./queue-feed.ts";
export type { SyncOutcome } from "./sync-outcome.ts";
export { TerminalError } from "./terminal-error.ts";
