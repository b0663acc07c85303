import type { DiscoveredResource, DiscoveredSubresource } from "./discovered-resource.ts";

/** `/api` of a server that does not aggregate. */
export interface ApiVersions {
  readonly kind: "APIVersions";
  readonly versions?: readonly string[] | null;
}

/** `/apis` of a server that does not aggregate. */
export interface ApiGroupList {
  readonly kind: "APIGroupList";
  readonly groups?: readonly ApiGroup[] | null;
}

interface ApiGroup {
  readonly name: string;
  readonly versions?: readonly { readonly version: string }[] | null;
  readonly preferredVersion?: { readonly version: string };
}

/** `/apis/GROUP/VERSION`. */
export interface ApiResourceList {
  readonly kind: "APIResourceList";
  readonly resources?: readonly ListedResource[] | null;
}

interface ListedResource {
  /** `pods`, or `pods/status`. */
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
}

/** The group's versions, the preferred one first. */
export function versionsOf(group: ApiGroup): string[] {
  const versions = (group.versions ?? []).map(({ version }) => version);
  const preferred = group.preferredVersion?.version;
  if (preferred === undefined || !versions.includes(preferred)) return versions;
  return [preferred, ...versions.filter((version) => version !== preferred)];
}

export function readResourceList(group: string, version: string, list: ApiResourceList): DiscoveredResource[] {
  const entries = list.resources ?? [];
  const subresources = Map.groupBy(
    entries.filter(({ name }) => name.includes("/")),
    ({ name }) => name.slice(0, name.indexOf("/")),
  );
  return entries
    .filter(({ name }) => !name.includes("/"))
    .map((entry) => ({
      group,
      version,
      plural: entry.name,
      kind: entry.kind,
      namespaced: entry.namespaced ?? false,
      singular: entry.singularName || entry.kind.toLowerCase(),
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      verbs: entry.verbs ?? [],
      subresources: (subresources.get(entry.name) ?? []).map((listed) => readSubresource(group, version, listed)),
    }));
}

function readSubresource(group: string, version: string, listed: ListedResource): DiscoveredSubresource {
  return {
    name: listed.name.slice(listed.name.indexOf("/") + 1),
    group: listed.version ? (listed.group ?? "") : group,
    version: listed.version || version,
    kind: listed.kind,
    verbs: listed.verbs ?? [],
  };
}
