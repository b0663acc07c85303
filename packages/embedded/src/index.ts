/**
 * Kubernetes on one machine, in Node alone. It shares no code with `kube`: a client and a server that did would hide each other's
 * mistakes. It knows nothing of storage operators, and could run anything.
 *
 * - `apiserver/`: the API server; so far its store
 */
export * from "./apiserver/index.ts";
