import type { MetadataOnly, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume } from "@stowage/machinery";

/** The node that the volume is on; undefined when it is tied to none of them. Of several the first by name. */
export function nodeOfVolume(volume: PersistentVolume, nodes: readonly MetadataOnly[]): string | undefined {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return undefined;
  return nodes
    .filter((node) => terms.some((term) => matchesTerm(node, term)))
    .map(({ metadata }) => metadata.name ?? "")
    .toSorted()[0];
}

/** A term that asks for nothing matches nothing. */
function matchesTerm(
  { metadata }: MetadataOnly,
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => matches(metadata.labels?.[requirement.key], requirement)) &&
    matchFields.every((requirement) => requirement.key === "metadata.name" && matches(metadata.name, requirement))
  );
}

function matches(value: string | undefined, { operator, values = [] }: NodeSelectorRequirement): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return compares(value, values[0], (have, limit) => have > limit);
    case "Lt":
      return compares(value, values[0], (have, limit) => have < limit);
    default:
      return false;
  }
}

const WHOLE_NUMBER = /^[+-]?\d+$/u;

function compares(
  value: string | undefined,
  limit: string | undefined,
  isMet: (have: bigint, limit: bigint) => boolean,
): boolean {
  if (value === undefined || limit === undefined || !WHOLE_NUMBER.test(value) || !WHOLE_NUMBER.test(limit))
    return false;
  return isMet(BigInt(value), BigInt(limit));
}
