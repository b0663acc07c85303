/**
 * Talks to a Kubernetes API. In reading order:
 *
 * - `config/`: which server, and as whom (kubeconfig, in-cluster)
 * - `transport/`: one HTTP request and its answer
 * - `client/`: typed calls, errors with predicates
 * - `discovery/`: which resources the server has
 * - `informers/`: local copies that follow the server
 * - `controllers/`: queues of keys that informers feed, and their workers
 * - `leader-election/`: one of several replicas acts
 * - `events/`: tell people what happened
 */
export { createBackoff } from "./backoff.ts";
export * from "./client/index.ts";
export * from "./config/index.ts";
export * from "./controllers/index.ts";
export * from "./discovery/index.ts";
export * from "./events/index.ts";
export * from "./informers/index.ts";
export * from "./leader-election/index.ts";
export * from "./transport/index.ts";
