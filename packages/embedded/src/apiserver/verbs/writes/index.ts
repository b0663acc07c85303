/**
 * What changes objects. `object-creation.ts`, `object-update.ts`, `object-patch.ts`, `object-deletion.ts` and
 * `collection-deletion.ts` have a verb each. What needs no store is done first: `write-target.ts` (which resource and strategy),
 * `write-options.ts` and `delete-options.ts` (the query), `request-body.ts` with `json-scan.ts` (the body). All that decides runs
 * in a transaction: `namespace-check.ts`, `deletion-plan.ts`, the strategy, and `stored-object.ts`, which keeps the result.
 */
export { deleteCollection } from "./collection-deletion.ts";
export { createObject } from "./object-creation.ts";
export { deleteObject } from "./object-deletion.ts";
export { patchObject } from "./object-patch.ts";
export { updateObject } from "./object-update.ts";
export { sentObject } from "./request-body.ts";
export { writeOptions } from "./write-options.ts";
export type { AdmittedWrite, WriteDeps } from "./write-target.ts";
