/**
 * Those who make up a cluster, each with an identity of its own: `controllers-member.ts` and `node-member.ts` are one process each, or all
 * of them with an API server are one, `embedded-cluster.ts`. `cluster-nodes.ts`: nodes in one process, of any control plane.
 * `member-connection.ts`: how they reach the API server. `node-folder.ts`: what a node keeps. `cluster-remains.ts`: what runs on when
 * the process ends, and how it is ended.
 */
export { type ClusterNodesOptions, type NodesServer, nodePlaces, startClusterNodes } from "./cluster-nodes.ts";
export { endRemains, hasRemains, type RemainsDeps } from "./cluster-remains.ts";
export { type ControllersMemberDeps, runControllersMember } from "./controllers-member.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from "./embedded-cluster.ts";
export { nodeFolderIn } from "./node-folder.ts";
export { type NodeMemberDeps, runNodeMember } from "./node-member.ts";
