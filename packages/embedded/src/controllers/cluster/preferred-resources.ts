import type { DiscoveredResource, ServerResources } from "@stowage/kube";

/** Every resource once, in the version that its group prefers of those that have it. */
export function preferredResources({ groups }: ServerResources): DiscoveredResource[] {
  return groups.flatMap(({ versions }) => {
    const byPlural = new Map<string, DiscoveredResource>();
    for (const resource of versions.flatMap(({ resources }) => resources)) {
      if (!byPlural.has(resource.plural)) byPlural.set(resource.plural, resource);
    }
    return [...byPlural.values()];
  });
}

export function hasVerbs({ verbs }: DiscoveredResource, ...wanted: readonly string[]): boolean {
  return wanted.every((verb) => verbs.includes(verb));
}
