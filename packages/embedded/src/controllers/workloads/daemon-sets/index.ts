/**
 * DaemonSets. `daemon-set-controller.ts`: what happens to one. Pure: `daemon-pod.ts` (the Pod of a node, and whether it may run there),
 * `node-pods.ts` (what comes and goes), `daemon-update.ts` (how another template gets around), `daemon-status.ts`.
 * `daemon-history.ts`: the templates that were; `failed-pod-backoff.ts`: when a daemon that failed is tried again.
 */
export { makeDaemonSetController } from "./daemon-set-controller.ts";
