/**
 * API server, controllers and nodes in one process: `embedded-cluster.ts`. `node-folder.ts`: what a node keeps. `cluster-remains.ts`: what
 * runs on when the process ends, and how it is ended.
 */
export { endRemains, hasRemains, type RemainsDeps } from "./cluster-remains.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from "./embedded-cluster.ts";
