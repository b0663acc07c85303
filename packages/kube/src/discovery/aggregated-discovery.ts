import { apiVersionOf, StowageError } from "@stowage/machinery";
import type {
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  DiscoveryFailure,
  ServerResources,
} from "./discovered-resource.ts";

/** The newest form first; the second is what servers of 1.26 to 1.29 have, the last what those have that do not aggregate. */
export const AGGREGATED_ACCEPT = [
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json",
].join(",");

export interface ApiGroupDiscoveryList {
  readonly kind: "APIGroupDiscoveryList";
  readonly items?: readonly AggregatedGroup[] | null;
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly AggregatedVersion[] | null;
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[] | null;
}

interface ResponseKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: ResponseKind | null;
  readonly scope: "Namespaced" | "Cluster";
  readonly singularResource?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly subresources?: readonly AggregatedSubresource[] | null;
}

interface AggregatedSubresource {
  readonly subresource: string;
  readonly responseKind?: ResponseKind | null;
  readonly verbs?: readonly string[] | null;
}

export function readAggregated(list: ApiGroupDiscoveryList): ServerResources {
  const groups: DiscoveredGroup[] = [];
  const failures: DiscoveryFailure[] = [];
  for (const { metadata, versions } of list.items ?? []) {
    const group = metadata?.name ?? "";
    const fresh = (versions ?? []).filter((version) => version.freshness !== "Stale");
    for (const { version, freshness } of versions ?? []) {
      if (freshness === "Stale") failures.push(staleFailure(group, version));
    }
    groups.push({
      name: group,
      versions: fresh.map((version) => ({
        version: version.version,
        resources: (version.resources ?? []).flatMap((resource) => readResource(group, version.version, resource)),
      })),
    });
  }
  return { groups, failures };
}

/** What a stale entry lists is what the API last said; it may be gone, and calls to it fail in any case. */
function staleFailure(group: string, version: string): DiscoveryFailure {
  const message = `the server could not refresh what ${apiVersionOf({ group, version })} has: whatever serves it does not answer`;
  return { group, version, error: new StowageError("API_GROUP_UNAVAILABLE", message) };
}

/** A resource without a kind exists only for its subresources. */
function readResource(group: string, version: string, resource: AggregatedResource): DiscoveredResource[] {
  const kind = resource.responseKind?.kind;
  if (!kind) return [];
  return [
    {
      group,
      version,
      plural: resource.resource,
      kind,
      namespaced: resource.scope === "Namespaced",
      singular: resource.singularResource || kind.toLowerCase(),
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: resource.verbs ?? [],
      subresources: (resource.subresources ?? []).map((subresource) => readSubresource(group, version, subresource)),
    },
  ];
}

/** A response kind without group and version is one of the resource's own. */
function readSubresource(group: string, version: string, subresource: AggregatedSubresource): DiscoveredSubresource {
  const { responseKind } = subresource;
  const own = !responseKind?.version;
  return {
    name: subresource.subresource,
    group: own ? group : (responseKind.group ?? ""),
    version: own ? version : (responseKind.version ?? version),
    kind: responseKind?.kind ?? "",
    verbs: subresource.verbs ?? [],
  };
}
