/**
 * Makes objects on the server what they should be. `apply-object.ts` and `delete-object.ts` act; what they do is decided in
 * `apply-plan.ts`, by the rule of the kind (`kind-rules.ts`, `rules/`) for the content and by `object-metadata.ts` for labels,
 * annotations and owners. `content.ts` compares, `spec-hash.ts` and `dependency-hash.ts` remember what was wanted.
 */
export { type ApplyDeps, type LocalCopies, type LocalSource, localCopies, targetOf } from "./apply-deps.ts";
export { cliName, isKindMissing } from "./apply-events.ts";
export {
  type ApplyChange,
  type ApplyObjectOptions,
  type ApplyResult,
  applyObject,
  createObject,
} from "./apply-object.ts";
export { type ApplyPlan, type PlanOptions, planApply } from "./apply-plan.ts";
export { isContained, isSameContent } from "./content.ts";
export { type DeleteChange, deleteObject } from "./delete-object.ts";
export { dataHash, dependencyAnnotations, withDependencyHashes } from "./dependency-hash.ts";
export { type KeptKeys, mergeMetadata } from "./object-metadata.ts";
export { specHash, specHashAnnotation, withSpecHash } from "./spec-hash.ts";
