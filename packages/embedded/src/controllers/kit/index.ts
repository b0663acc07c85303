/**
 * What controllers have in common. In reading order:
 *
 * - `controller-deps.ts`: what each is handed, and what each is
 * - `owner-references.ts`, `claims.ts`, `owned-watch.ts`: what belongs to whom, adoption and release, whose news a change is
 * - `expectations.ts`, `conflicts.ts`, `slow-start.ts`: how to act on copies that may be behind
 * - `pod-state.ts`, `pod-control.ts`: Pods, as those who make them see them
 * - `node-match.ts`: which nodes a Pod may go to: selectors, affinity, taints
 * - `template-hash.ts`, `scaled-value.ts`, `status-equality.ts`, `error-text.ts`: values as Kubernetes reads and writes them
 */
export { claimObjects } from "./claims.ts";
export { queueBackoff, retryOnConflict, whileItLasts } from "./conflicts.ts";
export type { ControllerDeps, ControllerPart, MakePart, PartRow } from "./controller-deps.ts";
export { errorText } from "./error-text.ts";
export { Expectations } from "./expectations.ts";
export { areTermsMet, isNodeMeant, isTolerated, untoleratedTaint } from "./node-match.ts";
export { watchOwned } from "./owned-watch.ts";
export {
  claimable,
  controlledBy,
  controllerOf,
  controllerReference,
  indexByController,
  isControlledBy,
  ownerOf,
} from "./owner-references.ts";
export { createPod, deletePod, type PodControl, podFromTemplate } from "./pod-control.ts";
export {
  isPodActive,
  isPodAvailable,
  isPodFinished,
  isPodReady,
  isPodTerminating,
  nextAvailabilityMs,
  readySinceMs,
} from "./pod-state.ts";
export { scaledValue } from "./scaled-value.ts";
export { slowStart } from "./slow-start.ts";
export { isSameStatus } from "./status-equality.ts";
export { canonicalText, templateHash } from "./template-hash.ts";
