/**
 * `controller.ts`: a work queue with its workers and what feeds it. `queue-feed.ts`: which changes of watched objects become keys.
 */
export {
  type Controller,
  type ControllerDeps,
  type ControllerSpec,
  createController,
  type QueueMetrics,
} from "./controller.ts";
export type { WatchFilter } from "./queue-feed.ts";
