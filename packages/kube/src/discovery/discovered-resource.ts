import type { ResourceType } from "@stowage/machinery";

/** A resource that the server has: a `ResourceType`, so the client takes it as it is, with what else discovery tells. */
export interface DiscoveredResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Groups of resources that people ask for at once: `all`. */
  readonly categories: readonly string[];
  /** What the server can do with it, not what the user may: `get`, `list`, `watch`, … */
  readonly verbs: readonly string[];
  readonly subresources: readonly DiscoveredSubresource[];
}

export interface DiscoveredSubresource {
  /** `status`, `scale`, `token`. */
  readonly name: string;
  /** Of the objects that it takes and gives, which may be of another group: `pods/eviction` takes a policy/v1 Eviction. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

export interface DiscoveredGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred one first; without those that could not be discovered. */
  readonly versions: readonly DiscoveredVersion[];
}

/** A version of a group that the server lists and nobody answers for: an aggregated API that is down. */
export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  readonly error: unknown;
}

export interface ServerResources {
  /** The core group first, then in the server's order of priority. */
  readonly groups: readonly DiscoveredGroup[];
  readonly failures: readonly DiscoveryFailure[];
}
