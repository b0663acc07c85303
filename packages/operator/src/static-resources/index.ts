/**
 * Objects that an operator keeps as they are in its assets. `static-resources.ts` is the controller, `static-resource.ts` says what
 * is to be and in which order, `ordered-deletion.ts` in which order it goes, `verification-spread.ts` when the server is asked, `related-objects.ts` names them for a ClusterOperator.
 */
export { createOrderedDeletion, deletionOrder, type OrderedDeletion } from "./ordered-deletion.ts";
export { type RelatedObject, relatedObjectsOf } from "./related-objects.ts";
export { inOrder, type StaticResource } from "./static-resource.ts";
export {
  type StaticRemoval,
  type StaticResourcesDeps,
  type StaticResourcesSpec,
  staticResourcesController,
} from "./static-resources.ts";
export { VerificationSpread } from "./verification-spread.ts";
