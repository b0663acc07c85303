import { type GroupVersion, groupVersions, type ResourceRegistry, type ServedResource } from "../resources/index.ts";

/** All that is served, in one document: `/api` has the core group and `/apis` all others. */
export function aggregatedDocument(registry: ResourceRegistry, isCore: boolean) {
  const groups = Map.groupBy(groupVersions(registry), ({ group }) => group);
  const items = [...groups]
    .filter(([group]) => (group === "") === isCore)
    .map(([name, versions]) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map((each) => versionEntry(registry, each)),
    }));
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
}

function versionEntry(registry: ResourceRegistry, { group, version }: GroupVersion) {
  const served = registry.list().filter((each) => each.group === group && each.version === version);
  return { version, resources: served.map(resourceEntry), freshness: "Current" };
}

function resourceEntry(resource: ServedResource) {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: responseKind(resource, resource.kind),
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(({ name, kind, kindGroup, kindVersion, verbs: partVerbs }) => ({
        subresource: name,
        responseKind:
          kindGroup === undefined
            ? responseKind(resource, kind)
            : { group: kindGroup, version: kindVersion ?? "", kind },
        verbs: partVerbs,
      })),
    }),
  };
}

/** Of a built-in resource the real server leaves open what is that of the resource itself. */
function responseKind({ group, version, definition }: ServedResource, kind: string) {
  return definition === undefined ? { group: "", version: "", kind } : { group, version, kind };
}
