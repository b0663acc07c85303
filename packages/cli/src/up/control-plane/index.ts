/**
 * Whose API server and controllers a cluster of `stowage up` has: `running-cluster.ts` says what is wanted of either. `embedded` is in this
 * process (`@stowage/embedded`); `kubernetes` is the real one, which the lab builds and starts: `kubernetes-cluster.ts`, through
 * `lab-door.ts`, since the lab is there in a checkout alone. The nodes are the same; `kubelet-server.ts` is how the real API server asks them.
 */
export type { ControlPlaneId } from "./control-plane-ids.ts";
export { startKubernetesCluster, stopKubernetes } from "./kubernetes-cluster.ts";
export type { RunningCluster } from "./running-cluster.ts";
