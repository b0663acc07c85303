import {
  type DiscoveredResource,
  type DiscoveryFailure,
  discoverResources,
  isMethodNotSupported,
  isNotFound,
  type KubeClient,
  type ServerResources,
} from "@stowage/kube";
import { apiVersionOf, type Clock, type KubernetesObject, metadataOnly, type Pod, pods } from "@stowage/machinery";
import { errorText, isPodFinished } from "../../kit/index.ts";
import { hasVerbs, preferredResources } from "../preferred-resources.ts";
import type { Emptying, Remainder } from "./namespace-conditions.ts";

/** So long the finalizers of what is left are given before they are looked at again. */
const FINALIZERS_SECONDS = 15;

export interface DeletedNamespace {
  readonly name: string;
  readonly deletedAtMs: number;
}

export interface ContentDeletion {
  readonly emptying: Emptying;
  /** In how long the rest may be gone; 0 when nothing is left, or nobody knows. */
  readonly estimateSeconds: number;
}

interface Outcome {
  readonly failure?: string;
  readonly remainder?: Remainder;
  readonly estimateSeconds: number;
}

/**
 * Deletes everything in the namespace: Pods first, and nothing else as long as one is left, since they may need the rest to end well.
 */
export async function deleteContent(
  { client, clock }: { client: KubeClient; clock: Clock },
  namespace: DeletedNamespace,
): Promise<ContentDeletion> {
  const { discoveryFailure, ...server } = await discovered(client);
  const resources = preferredResources(server).filter((each) => each.namespaced && hasVerbs(each, "delete"));
  const isPods = ({ group, plural }: DiscoveredResource) => group === "" && plural === pods.plural;
  const estimateSeconds = await podsEstimate(client, namespace, clock.nowMs());
  const ofPods = await each(client, namespace.name, resources.filter(isPods), estimateSeconds);
  // What is left is not told of in conditions as long as it is Pods alone, as in Kubernetes.
  if (ofPods.some(({ remainder }) => remainder)) return summary({ discoveryFailure, outcomes: ofPods, remainders: [] });
  const others = await each(
    client,
    namespace.name,
    resources.filter((resource) => !isPods(resource)),
    0,
  );
  const outcomes = [...ofPods, ...others];
  return summary({ discoveryFailure, outcomes, remainders: outcomes.flatMap(({ remainder }) => remainder ?? []) });
}

interface Attempt {
  readonly discoveryFailure: string | undefined;
  readonly outcomes: readonly Outcome[];
  readonly remainders: readonly Remainder[];
}

function summary({ discoveryFailure, outcomes, remainders }: Attempt): ContentDeletion {
  const contentFailures = outcomes.flatMap(({ failure }) => failure ?? []);
  return {
    emptying: { contentFailures, remainders, ...(discoveryFailure !== undefined && { discoveryFailure }) },
    estimateSeconds: Math.max(0, ...outcomes.map((outcome) => outcome.estimateSeconds)),
  };
}

async function discovered(client: KubeClient): Promise<ServerResources & { readonly discoveryFailure?: string }> {
  try {
    const server = await discoverResources(client);
    return server.failures.length === 0 ? server : { ...server, discoveryFailure: discoveryText(server.failures) };
  } catch (error) {
    return { groups: [], failures: [], discoveryFailure: errorText(error) };
  }
}

function discoveryText(failures: readonly DiscoveryFailure[]): string {
  const texts = failures.map(({ error, ...version }) => `${apiVersionOf(version)}: ${errorText(error)}`);
  const all = `unable to retrieve the complete list of server APIs: ${texts.join(", ")}`;
  return `Discovery failed for some groups, ${failures.length} failing: ${all}`;
}

function each(
  client: KubeClient,
  namespace: string,
  resources: readonly DiscoveredResource[],
  estimateSeconds: number,
): Promise<Outcome[]> {
  return Promise.all(
    resources.map(async (resource) => {
      try {
        return await deleteAll(client, namespace, resource, estimateSeconds);
      } catch (error) {
        return { failure: errorText(error), estimateSeconds };
      }
    }),
  );
}

async function deleteAll(
  client: KubeClient,
  namespace: string,
  resource: DiscoveredResource,
  estimateSeconds: number,
): Promise<Outcome> {
  const type = metadataOnly(resource);
  const propagationPolicy = "Background";
  if (hasVerbs(resource, "deletecollection")) {
    await client.deleteCollection(type, { namespace, propagationPolicy }).catch(unlessUnsupported);
  } else {
    const items = await listed(client, namespace, resource);
    const names = items.map(({ metadata }) => metadata.name ?? "");
    for (const name of names) {
      await client.delete(type, { namespace, name }, { propagationPolicy }).catch(unlessUnsupported);
    }
  }
  return outcomeOf(resource, namespace, await listed(client, namespace, resource), estimateSeconds);
}

async function listed(
  client: KubeClient,
  namespace: string,
  resource: DiscoveredResource,
): Promise<readonly KubernetesObject[]> {
  if (!hasVerbs(resource, "list")) return [];
  return (await client.listAll(metadataOnly(resource), { namespace }).catch(unlessUnsupported))?.items ?? [];
}

/** A resource that went away since it was discovered has nothing in it. */
function unlessUnsupported(error: unknown): undefined {
  if (!isMethodNotSupported(error) && !isNotFound(error)) throw error;
}

export function outcomeOf(
  resource: Pick<DiscoveredResource, "group" | "version" | "plural">,
  namespace: string,
  left: readonly Pick<KubernetesObject, "metadata">[],
  estimateSeconds: number,
): Outcome {
  if (left.length === 0) return { estimateSeconds: 0 };
  const finalizers = new Map<string, number>();
  for (const name of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
    finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  const { group, plural } = resource;
  const remainder = { resource: `${plural}.${group}`, count: left.length, finalizers };
  if (estimateSeconds > 0) return { remainder, estimateSeconds };
  if (finalizers.size > 0) return { remainder, estimateSeconds: FINALIZERS_SECONDS };
  const gvr = `${group === "" ? "/" : ""}${apiVersionOf(resource)}, Resource=${plural}`;
  const failure = `unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`;
  return { remainder: { ...remainder, finalizers: new Map() }, failure, estimateSeconds };
}

/** As long as the slowest of the Pods may take to end; nothing once that time has passed. */
async function podsEstimate(client: KubeClient, namespace: DeletedNamespace, nowMs: number): Promise<number> {
  const { items } = await client.listAll(pods, { namespace: namespace.name });
  const estimateSeconds = gracefulSeconds(items);
  return nowMs - namespace.deletedAtMs >= estimateSeconds * 1000 ? 0 : estimateSeconds;
}

export function gracefulSeconds(all: readonly Pod[]): number {
  const graces = all.filter((pod) => !isPodFinished(pod)).map(({ spec }) => spec?.terminationGracePeriodSeconds ?? 0);
  return Math.max(0, ...graces);
}
