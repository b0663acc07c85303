import type { ServerResources } from "@stowage/kube";
import {
  type ClusterOperator,
  clusterOperators,
  type Event,
  type KubernetesObject,
  type Namespace,
  namespaces as namespaceType,
  type Pod,
  type Secret,
  secrets,
} from "@stowage/machinery";
import { formatManifests } from "@stowage/operator";
import type { GatherContext, RedactingContext } from "./gather-context.ts";
import { assumedPlan, chainNamespaces, type GatherPlan, gatherPlan } from "./gather-plan.ts";
import { gatherLog, logsOf } from "./log-gathering.ts";
import { gatherObjects, gatherSet, isSince, keepEverywhere, type ObjectSet, pathOf } from "./object-gathering.ts";
import { type Redaction, redactedObject } from "./redaction.ts";

/** More would only wait in the server's queues, and keep others out of them. */
const AT_ONCE = 4;

export interface Gathered {
  readonly namespaces: readonly string[];
  readonly redaction: Pick<Redaction, "isStrict">;
}

/**
 * Everything that says how storage is and came to be so. What cannot be had is in the report, and keeps nothing else. What is asked for
 * is in `gather-plan.ts`; `object-gathering.ts` and `log-gathering.ts` ask, as often as `patience.ts` has it; `redaction.ts` and its
 * neighbours say what may be written, `gather-folder.ts` writes it, and `summary.ts` tells the reader.
 */
export async function gather(context: GatherContext, furtherNamespaces: readonly string[]): Promise<Gathered> {
  const plan = await planFor(context);
  const found = await namespacesOf(context, furtherNamespaces);
  const names = [...found.keys()];
  // First, so that whatever is written after them can be looked through for their values.
  const redaction = await gatherSecrets(context, names);
  const redacting: RedactingContext = { ...context, redaction };
  for (const [name, namespace] of found) {
    if (namespace === undefined) continue;
    const text = formatManifests([redactedObject(namespace, redaction)]);
    await context.folder.write(["namespaces", name, `${name}.yaml`], text);
  }
  const pods = new Map<string, Pod>();
  await forEachOf(setsOf(plan, names, context), (set) => gatherObjects(redacting, noting(pods, set, names)));
  await forEachOf([...pods.values()].flatMap(logsOf), (log) => gatherLog(redacting, log));
  return { namespaces: names, redaction };
}

async function planFor(context: GatherContext): Promise<GatherPlan> {
  const { mapper, report } = context;
  context.onProgress("the APIs of the server");
  let server: ServerResources;
  try {
    server = await context.patience.call(() => mapper.resources());
  } catch (error) {
    context.signal.throwIfAborted();
    report.failed("the list of APIs; the usual ones are asked for", error);
    return assumedPlan();
  }
  for (const { group, version, error } of server.failures) report.failed(`everything of ${group}/${version}`, error);
  return gatherPlan(server);
}

/** Those of the chain that the cluster has, with what the ClusterOperator names and what is asked for. */
async function namespacesOf(
  context: GatherContext,
  further: readonly string[],
): Promise<Map<string, Namespace | undefined>> {
  const { client, report, signal } = context;
  const found = new Map<string, Namespace | undefined>();
  for (const name of new Set([...chainNamespaces, ...(await relatedNamespaces(context)), ...further])) {
    try {
      const namespace = await context.patience.call(() => client.find(namespaceType, { name }, { signal }));
      if (namespace === undefined) report.note(`there is no namespace ${name}`);
      else found.set(name, namespace);
    } catch (error) {
      signal.throwIfAborted();
      report.failed(`namespace ${name}`, error);
      // It may be there all the same.
      found.set(name, undefined);
    }
  }
  return found;
}

async function relatedNamespaces(context: GatherContext): Promise<string[]> {
  const { client, patience, signal } = context;
  const operator = await patience
    .call(() => client.find<ClusterOperator>(clusterOperators, { name: "storage" }, { signal }))
    .catch(() => undefined); // Told when the ClusterOperators are gathered.
  const related = operator?.status?.relatedObjects ?? [];
  return related.flatMap(({ resource, name, namespace }) => (resource === "namespaces" ? name : (namespace ?? [])));
}

/** Writes that they are there; their values stay in this process. */
async function gatherSecrets(context: GatherContext, names: readonly string[]): Promise<Redaction> {
  const { known } = context;
  let isStrict = false;
  await forEachOf(names, async (namespace) => {
    const isComplete = await gatherSet(context, { type: secrets, namespace }, async (page) => {
      for (const secret of page) {
        known.add(secret as Secret);
        const text = formatManifests([redactedObject(secret, { known, isStrict: true })]);
        await context.folder.write(pathOf(secrets, secret), text);
      }
      return page.length;
    });
    isStrict ||= !isComplete;
  });
  return { known, isStrict };
}

function setsOf(plan: GatherPlan, names: readonly string[], { clock, sinceMs }: GatherContext): ObjectSet[] {
  const fromMs = sinceMs === undefined ? Number.NEGATIVE_INFINITY : clock.nowMs() - sinceMs;
  const chain = new Set(names);
  const isRecent = (event: KubernetesObject) => (isSince(event as Event, fromMs) ? event : undefined);
  return [
    ...plan.clusterScoped.map((type) => ({ type })),
    ...plan.everywhere.map((type) => ({ type, keep: keepEverywhere(type, { chain, fromMs }) })),
    ...names.flatMap((namespace) =>
      plan.inNamespaces.map((type) => ({ type, namespace, ...(type.plural === "events" && { keep: isRecent }) })),
    ),
  ];
}

/** Of the chain's Pods the logs are wanted too: what is needed for that is noted as they come by. */
function noting(pods: Map<string, Pod>, set: ObjectSet, names: readonly string[]): ObjectSet {
  const { type, namespace } = set;
  if (type.group !== "" || type.plural !== "pods" || !names.includes(namespace ?? "")) return set;
  const note = (object: KubernetesObject) => {
    const { apiVersion, kind, metadata, status } = object as Pod;
    const { namespace: place, name } = metadata;
    pods.set(`${place}/${name}`, { apiVersion, kind, metadata: { namespace: place, name }, status });
    return object;
  };
  return { ...set, keep: note };
}

/** A few at a time, in order. When one fails no other is begun, and those under way are waited for. */
async function forEachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await act(item).catch((error: unknown) => {
        rest.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
