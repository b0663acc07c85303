/**
 * Kubernetes on one machine, in Node alone. It knows nothing of storage operators, and could run anything.
 *
 * - `apiserver/`: the API server. It shares no code with `kube`: a client and a server that did would hide each other's mistakes
 * - `controllers/`: the roles of kube-controller-manager and kube-scheduler
 * - `node/`: the role of kubelet
 * - `cluster/`: all of them in one process, or each in its own
 * - `running-work.ts`: what goes on beside, until it is disposed of
 * - `spdy/`: what connections into Pods are made of, on both sides of an API server
 */
export * from "./apiserver/index.ts";
export * from "./cluster/index.ts";
export * from "./controllers/index.ts";
export * from "./node/index.ts";
export { runningWork } from "./running-work.ts";
