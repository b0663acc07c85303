/**
 * Figures by the names that Kubernetes' own components use (`workqueue_*`, `leader_election_*`), so that dashboards made for
 * those work; and beside them what those lack: the age of the oldest waiting key, and how many keys wait in backoff. Operators add
 * figures of their own by `figure-metrics.ts`.
 */

export type { QueueMetrics } from "@stowage/kube";
export { addFigure, type Figure, type FigureFamily, type FigureRow, type FigureTable } from "./figure-metrics.ts";
export { leadershipMetrics } from "./leadership-metrics.ts";
export { queueMetrics } from "./queue-metrics.ts";
