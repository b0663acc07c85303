/**
 * The three patches that the Kubernetes API knows, applied and computed; none of them changes its inputs.
 *
 * - JSON Patch (RFC 6902): a list of operations; `applyJsonPatch`, `createJsonPatch`
 * - merge patch (RFC 7386): an object laid over another, null removes; `applyMergePatch`, `createMergePatch`
 * - strategic merge patch: as a merge patch, but lists of built-in kinds are merged item by item;
 *   `applyStrategicMergePatch`, `createStrategicMergePatch`
 *
 * A patch that cannot be applied is `INVALID_PATCH` (the API answers 422), one that is no patch is `MALFORMED_PATCH` (400), and
 * a strategic merge patch to a kind of a CRD is `STRATEGIC_MERGE_UNSUPPORTED` (415).
 */
export { applyJsonPatch, type JsonPatchOperation } from "./json-patch.ts";
export { createJsonPatch } from "./json-patch-diff.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { createStrategicMergePatch } from "./strategic-diff.ts";
export { applyStrategicMergePatch, mergeAsServer } from "./strategic-patch.ts";
export { StrategicPatchError } from "./strategic-patch-error.ts";
