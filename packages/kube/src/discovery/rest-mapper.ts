import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { type DiscoveryOptions, discoverResources } from "./discover-resources.ts";
import type { DiscoveredResource, ServerResources } from "./discovered-resource.ts";
import { createFailureLog } from "./failure-log.ts";
import { nameNotServedError, notServedError, unavailableError } from "./not-served-error.ts";
import { ResourceCache } from "./resource-cache.ts";
import { findByKind, findByName, findByPlural, type KindReference, type ResourceReference } from "./resource-lookup.ts";
import { type ServerVersion, serverVersion } from "./server-version.ts";

const MAXIMUM_AGE_MS = 5 * 60_000;
/** Between two refreshes for kinds that are not there: a CRD may have been made this very moment. */
const MISS_AGE_MS = 1_000;
/** For optional APIs, whose absence is normal and asked about at every sync. */
const ABSENCE_AGE_MS = 30_000;

export interface RestMapperDeps extends DiscoveryOptions {
  readonly client: Pick<KubeClient, "getPath" | "server">;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How old an answer may be when it has what was asked for. */
  readonly maximumAgeMs?: number;
}

/**
 * Which resource holds the objects of a kind, and what people mean by a name. Answers come from a cache that all callers
 * share; what it does not have is looked for on the server before it is said to be missing, so that a CRD made a moment ago
 * is found. A missing kind is a StowageError `KIND_NOT_SERVED`; `API_GROUP_UNAVAILABLE` when that cannot be told at present.
 */
export interface RestMapper {
  resourceFor(kind: KindReference): Promise<DiscoveredResource>;
  kindFor(resource: ResourceReference): Promise<Required<KindReference>>;
  /** By plural, singular, kind or short name, each with `.group` or `.version.group` after it if need be. */
  resourceNamed(name: string): Promise<DiscoveredResource>;
  /** For APIs that are used only where they exist. An absence may be 30 seconds old; it fails while it cannot be told. */
  has(resource: ResourceReference): Promise<boolean>;
  /** Everything, and what could not be discovered. */
  resources(): Promise<ServerResources>;
  serverVersion(): Promise<ServerVersion>;
  /** The next call asks the server: for whoever has just created or deleted a CRD. */
  invalidate(): void;
}

export function createRestMapper(deps: RestMapperDeps): RestMapper {
  return new CachedRestMapper(deps.client, cacheOf(deps));
}

type Find = (server: ServerResources) => DiscoveredResource | undefined;

class CachedRestMapper implements RestMapper {
  readonly #client: RestMapperDeps["client"];
  readonly #cache: ResourceCache;

  constructor(client: RestMapperDeps["client"], cache: ResourceCache) {
    this.#client = client;
    this.#cache = cache;
  }

  async resourceFor(wanted: KindReference): Promise<DiscoveredResource> {
    const { found, server } = await this.#find((resources) => findByKind(resources, wanted), MISS_AGE_MS);
    if (found === undefined) throw notServedError(server, wanted, this.#client.server);
    return found;
  }

  async kindFor(wanted: ResourceReference): Promise<Required<KindReference>> {
    const { found, server } = await this.#find((resources) => findByPlural(resources, wanted), MISS_AGE_MS);
    if (found === undefined) throw notServedError(server, wanted, this.#client.server);
    return { group: found.group, version: found.version, kind: found.kind };
  }

  async resourceNamed(name: string): Promise<DiscoveredResource> {
    const { found, server } = await this.#find((resources) => findByName(resources, name), MISS_AGE_MS);
    if (found === undefined) throw nameNotServedError(server, name, this.#client.server);
    return found;
  }

  async has(wanted: ResourceReference): Promise<boolean> {
    const { found, server } = await this.#find((resources) => findByPlural(resources, wanted), ABSENCE_AGE_MS);
    if (found !== undefined) return true;
    // A group that does not answer is neither there nor absent, and whoever takes it for absent might clean up after it.
    const unavailable = unavailableError(server, wanted, this.#client.server);
    if (unavailable !== undefined) throw unavailable;
    return false;
  }

  resources(): Promise<ServerResources> {
    return this.#cache.current();
  }

  serverVersion(): Promise<ServerVersion> {
    return serverVersion(this.#client);
  }

  invalidate(): void {
    this.#cache.invalidate();
  }

  /** With what it was found in, or not found in. A miss is not believed when it is older than `missAgeMs`. */
  async #find(
    find: Find,
    missAgeMs: number,
  ): Promise<{ found: DiscoveredResource | undefined; server: ServerResources }> {
    const known = await this.#cache.current();
    const found = find(known);
    if (found !== undefined) return { found, server: known };
    const server = await this.#cache.notOlderThan(missAgeMs);
    return { found: find(server), server };
  }
}

function cacheOf(deps: RestMapperDeps): ResourceCache {
  const { client, aggregated, clock = systemClock, logger = silentLogger, maximumAgeMs = MAXIMUM_AGE_MS } = deps;
  const failureLog = createFailureLog(logger);
  const load = async () => {
    const server = await discoverResources(client, { aggregated });
    failureLog.report(server.failures);
    return server;
  };
  return new ResourceCache({ load, clock, logger, maximumAgeMs });
}
