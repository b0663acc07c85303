import { StowageError } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { isNotFound } from "../client/predicates.ts";
import { AGGREGATED_ACCEPT, type ApiGroupDiscoveryList, readAggregated } from "./aggregated-discovery.ts";
import { discoverGroups, type GroupVersions } from "./discover-groups.ts";
import type { ServerResources } from "./discovered-resource.ts";
import { type ApiGroupList, type ApiVersions, versionsOf } from "./group-documents.ts";

export interface DiscoveryOptions {
  /** False asks for one document per group and version even where the server would aggregate them. */
  readonly aggregated?: boolean;
}

type RootDocument = ApiGroupDiscoveryList | ApiVersions | ApiGroupList;

/**
 * Asks the server for all its resources: two requests where it aggregates, one per group and version where it does not. A
 * group that nobody answers for is among `failures` and leaves the others whole.
 */
export async function discoverResources(
  client: Pick<KubeClient, "getPath" | "server">,
  { aggregated = true }: DiscoveryOptions = {},
): Promise<ServerResources> {
  const accept = aggregated ? AGGREGATED_ACCEPT : undefined;
  const [core, named] = await Promise.all(["/api", "/apis"].map((path) => discoverRoot(client, path, accept)));
  return {
    groups: [...(core?.groups ?? []), ...(named?.groups ?? [])],
    failures: [...(core?.failures ?? []), ...(named?.failures ?? [])],
  };
}

async function discoverRoot(
  client: Pick<KubeClient, "getPath" | "server">,
  path: string,
  accept: string | undefined,
): Promise<ServerResources | undefined> {
  const root = await client.getPath<RootDocument>(path, { accept }).catch((error: unknown) => {
    // An extension server has no core group.
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (root === undefined) return undefined;
  if (root.kind === "APIGroupDiscoveryList") return readAggregated(root);
  return await discoverGroups(client, groupVersionsOf(root, client.server + path));
}

function groupVersionsOf(root: ApiVersions | ApiGroupList, url: string): GroupVersions[] {
  if (root.kind === "APIVersions") return [{ group: "", versions: root.versions ?? [] }];
  if (root.kind === "APIGroupList") {
    return (root.groups ?? []).map((group) => ({ group: group.name, versions: versionsOf(group) }));
  }
  const { kind } = root as { kind?: unknown };
  throw new StowageError("NOT_A_KUBERNETES_API", `GET ${url}: a list of API groups was expected, not ${String(kind)}`);
}
