import type { DiscoveredGroup, DiscoveredResource, ServerResources } from "./discovered-resource.ts";

export interface KindReference {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The group's preferred one that has the kind when left out. */
  readonly version?: string;
}

export interface ResourceReference {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
  readonly version?: string;
}

export function findByKind(server: ServerResources, wanted: KindReference): DiscoveredResource | undefined {
  return resourcesOf(server, wanted).find(({ kind }) => kind === wanted.kind);
}

export function findByPlural(server: ServerResources, wanted: ResourceReference): DiscoveredResource | undefined {
  return resourcesOf(server, wanted).find(({ plural }) => plural === wanted.plural);
}

/** Every version of the group that has the kind, or the resource of that plural: for messages. */
export function versionsWith(server: ServerResources, wanted: KindReference | ResourceReference): string[] {
  return resourcesOf(server, { group: wanted.group })
    .filter(({ kind, plural }) => ("kind" in wanted ? kind === wanted.kind : plural === wanted.plural))
    .map(({ version }) => version);
}

/**
 * What a person means by `deployments`, `deployment`, `Deployment`, `deploy`, `deployments.apps` or `deployments.v1.apps`, as
 * kubectl understands it: where several groups have the name, the first in the server's order; short names only where nothing
 * bears the name in full.
 */
export function findByName(server: ServerResources, name: string): DiscoveredResource | undefined {
  const dot = name.indexOf(".");
  const word = (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
  const qualifier = dot < 0 ? undefined : name.slice(dot + 1);
  const candidates = server.groups.flatMap(resourcesOfGroup).filter((resource) => isQualifiedBy(resource, qualifier));
  return (
    candidates.find(({ plural, singular, kind }) => [plural, singular, kind.toLowerCase()].includes(word)) ??
    candidates.find(({ shortNames }) => shortNames.includes(word))
  );
}

function isQualifiedBy({ group, version }: DiscoveredResource, qualifier: string | undefined): boolean {
  return qualifier === undefined || qualifier === group || qualifier === `${version}.${group}`;
}

/** In the order of preference of their versions. */
function resourcesOf(
  server: ServerResources,
  { group, version }: { group: string; version?: string },
): DiscoveredResource[] {
  return server.groups
    .filter(({ name }) => name === group)
    .flatMap(resourcesOfGroup)
    .filter((resource) => version === undefined || resource.version === version);
}

function resourcesOfGroup(group: DiscoveredGroup): readonly DiscoveredResource[] {
  return group.versions.flatMap(({ resources }) => resources);
}
