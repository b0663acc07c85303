import { apiVersionOf } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { isNotFound } from "../client/predicates.ts";
import type { DiscoveredVersion, DiscoveryFailure, ServerResources } from "./discovered-resource.ts";
import { type ApiResourceList, readResourceList } from "./group-documents.ts";

const CONCURRENT_REQUESTS = 8;
/** An aggregated API that is down would otherwise hold up everybody for as long as the client goes on retrying. */
const GROUP_TIMEOUT_MS = 5_000;

export interface GroupVersions {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
}

type Outcome = { readonly found: DiscoveredVersion } | { readonly failure: DiscoveryFailure };

/** The form for servers that do not aggregate: one request for each group and version. */
export async function discoverGroups(
  client: Pick<KubeClient, "getPath">,
  groups: readonly GroupVersions[],
): Promise<ServerResources> {
  const asked = groups.flatMap(({ group, versions }) => versions.map((version) => ({ group, version })));
  const outcomes = await mapConcurrently(asked, ({ group, version }) => discoverVersion(client, group, version));
  const outcomesOf = (name: string) => outcomes.filter((_, at) => asked[at]?.group === name);
  return {
    groups: groups.map(({ group }) => ({
      name: group,
      versions: outcomesOf(group).flatMap((outcome) => ("found" in outcome ? [outcome.found] : [])),
    })),
    failures: outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure] : [])),
  };
}

async function discoverVersion(client: Pick<KubeClient, "getPath">, group: string, version: string): Promise<Outcome> {
  const path = `/${group === "" ? "api" : "apis"}/${apiVersionOf({ group, version })}`;
  try {
    const list = await client.getPath<ApiResourceList>(path, { timeoutMs: GROUP_TIMEOUT_MS });
    return { found: { version, resources: readResourceList(group, version, list) } };
  } catch (error) {
    // Removed since the list of groups was made.
    if (isNotFound(error)) return { found: { version, resources: [] } };
    return { failure: { group, version, error } };
  }
}

/** In the order of the items, a few at a time: a server with many CRDs has hundreds of groups. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const takeTurns = async () => {
    for (const [at, item] of rest) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, takeTurns));
  return results;
}
