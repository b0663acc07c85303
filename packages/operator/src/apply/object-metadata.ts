import type { ObjectMeta, OwnerReference } from "@stowage/machinery";
import { isSameContent } from "./content.ts";

type Pairs = Readonly<Record<string, string>>;

/** Labels and annotations that are set once: a value that is there is kept, whoever set it; a missing one is set. */
export interface KeptKeys {
  readonly labels?: readonly string[];
  readonly annotations?: readonly string[];
}

/**
 * The existing metadata with the labels, annotations and owners that are wanted; all others survive. A wanted key that ends in `-`
 * removes the key without it, and so does an owner whose uid ends in `-`.
 */
export function mergeMetadata(existing: ObjectMeta, wanted: ObjectMeta, kept: KeptKeys = {}): ObjectMeta {
  return {
    ...existing,
    labels: mergePairs(existing.labels, wanted.labels, kept.labels),
    annotations: mergePairs(existing.annotations, wanted.annotations, kept.annotations),
    ownerReferences: mergeOwners(existing.ownerReferences, wanted.ownerReferences),
  };
}

/** For an object that does not exist yet: there is nothing to remove. */
export function withoutRemovals(wanted: ObjectMeta): ObjectMeta {
  return { ...wanted, ...mergeMetadata({}, wanted) };
}

export function isSameMetadata(left: ObjectMeta, right: ObjectMeta): boolean {
  return (["labels", "annotations", "ownerReferences"] as const).every((field) =>
    isSameContent(left[field], right[field]),
  );
}

export function mergePairs(
  existing: Pairs | undefined,
  wanted: Pairs | undefined,
  kept: readonly string[] = [],
): Record<string, string> | undefined {
  if (existing === undefined && wanted === undefined) return undefined;
  const merged = new Map(Object.entries(existing ?? {}));
  for (const [key, value] of Object.entries(wanted ?? {})) {
    if (key.endsWith("-")) merged.delete(key.replace(/-+$/u, ""));
    else if (!(kept.includes(key) && merged.has(key))) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function mergeOwners(
  existing: readonly OwnerReference[] | undefined,
  wanted: readonly OwnerReference[] | undefined,
): OwnerReference[] | undefined {
  if (existing === undefined && wanted === undefined) return undefined;
  let merged = [...(existing ?? [])];
  for (const owner of wanted ?? []) {
    const index = merged.findIndex((each) => isSameOwner(each, owner));
    if (owner.uid.endsWith("-")) merged = merged.filter((_, at) => at !== index);
    else if (index < 0) merged.push(owner);
    else merged[index] = owner;
  }
  return merged;
}

/** By kind and name: one that was made anew has another uid and takes the place of the old. */
function isSameOwner(left: OwnerReference, right: OwnerReference): boolean {
  const group = ({ apiVersion }: OwnerReference) => apiVersion.split("/").slice(0, -1).join("/");
  return left.name === right.name && left.kind === right.kind && group(left) === group(right);
}
