/**
 * Which resources the server has. In reading order: `discovered-resource.ts` (what is known of one), `rest-mapper.ts` (from a
 * kind or a name to its resource, cached), `resource-lookup.ts` (how names are understood), `resource-cache.ts`,
 * `discover-resources.ts` with `aggregated-discovery.ts` and `discover-groups.ts` (the two forms that servers answer in), and
 * `not-served-error.ts` for when there is no such kind.
 */
export { type DiscoveryOptions, discoverResources } from "./discover-resources.ts";
export type {
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  DiscoveredVersion,
  DiscoveryFailure,
  ServerResources,
} from "./discovered-resource.ts";
export type { KindReference, ResourceReference } from "./resource-lookup.ts";
export { createRestMapper, type RestMapper, type RestMapperDeps } from "./rest-mapper.ts";
export { type ServerVersion, serverVersion } from "./server-version.ts";
