/**
 * ReplicaSets. `replica-set-controller.ts`: what happens to one; `replicas.ts`: Pods that are made and deleted; `deletion-order.ts` and
 * `replica-set-status.ts`: which go first, and what is said of it.
 */
export { deletionOrder } from "./deletion-order.ts";
export { makeReplicaSetController } from "./replica-set-controller.ts";
