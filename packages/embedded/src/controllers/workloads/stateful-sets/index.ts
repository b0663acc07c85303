/**
 * StatefulSets. `stateful-set-controller.ts`: what happens to one; `stateful-update.ts`: the next step on its way;
 * `stateful-pod-control.ts` and `stateful-history.ts`: what is written. Pure: `stateful-pod.ts` (names, claims, templates),
 * `claim-retention.ts` (who takes claims along), `stateful-status.ts`.
 */
export { makeStatefulSetController } from "./stateful-set-controller.ts";
