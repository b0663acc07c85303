/**
 * Figures by the names that Kubernetes' own components use (`workqueue_*`, `leader_election_*`), so that dashboards made for
 * those work; and beside them what those lack: the age of the oldest waiting key, and how many keys wait in backoff.
 */
export { leadershipMetrics } from "./leadership-metrics.ts";
export { type QueueMetrics, queueMetrics } from "./queue-metrics.ts";
