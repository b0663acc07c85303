import { isDeepStrictEqual } from "node:util";
import { type ClusterOperatorStatus, findCondition, type RelatedObject } from "@stowage/machinery";

/** What has changed, in words for people who read events. */
export function statusDifference(before: ClusterOperatorStatus, after: ClusterOperatorStatus): string {
  const removed = (before.conditions ?? []).filter(({ type }) => findCondition(after.conditions, type) === undefined);
  return [
    ...conditionChanges(before, after),
    ...removed.map(({ type }) => `${type} was removed`),
    ...listChange("relatedObjects", before.relatedObjects?.map(nameOf), after.relatedObjects?.map(nameOf)),
    ...listChange("versions", before.versions?.map(versionOf), after.versions?.map(versionOf)),
  ].join(",");
}

function conditionChanges(before: ClusterOperatorStatus, after: ClusterOperatorStatus): string[] {
  return (after.conditions ?? []).flatMap(({ type, status, message = "" }) => {
    const existing = findCondition(before.conditions, type);
    const words = JSON.stringify(message);
    if (existing === undefined) return [`${type} set to ${status} (${words})`];
    if (existing.status !== status) return [`${type} changed from ${existing.status} to ${status} (${words})`];
    const previous = existing.message ?? "";
    return previous === message ? [] : [`${type} message changed from ${JSON.stringify(previous)} to ${words}`];
  });
}

function listChange(field: string, before: readonly string[] = [], after: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  return [`status.${field} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`];
}

function nameOf({ group, resource, namespace, name }: RelatedObject): string {
  return `${resource}${group && `.${group}`}/${namespace ? `${namespace}/` : ""}${name}`;
}

function versionOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name} ${version}`;
}
