/**
 * The kit that controllers are built from. In reading order:
 *
 * - `queue/`: which keys wait to be looked at, in which order, and how long after a failure
 * - `controllers/`: the loop that takes keys from a queue, calls `sync`, and turns its outcome into a log line and a next time
 * - `metrics/`: the figures of queues and of leadership, by the names that dashboards know
 * - `serving/`: `/metrics` and `/healthz` over HTTP
 */
export * from "./controllers/index.ts";
export * from "./metrics/index.ts";
export * from "./queue/index.ts";
export * from "./serving/index.ts";
