import { fnv1a32, safeEncode } from "@stowage/machinery";

/**
 * The hash of a template, in the letters of `pod-template-hash`. Kubernetes hashes how Go prints its structs, which changes with each of
 * its versions, so that nobody may rely on the value; what counts is that the same template has the same hash for as long as nothing
 * collides, and that the count of collisions leads to another. Both hold here. Changing this renames ReplicaSets and
 * ControllerRevisions: workloads would roll out anew.
 */
export function templateHash(template: object, collisionCount: number | undefined): string {
  const text = canonicalText(template);
  return safeEncode(String(fnv1a32(collisionCount === undefined ? text : `${text} ${collisionCount}`)));
}

/** One text for what means the same: keys in order, without what is absent or empty. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (field === null || (Array.isArray(field) && field.length === 0)) return undefined;
    if (typeof field !== "object" || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
