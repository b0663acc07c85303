import { isExpired, isNotFound } from "@stowage/kube";
import { type Event, hasErrorCode, type KubernetesObject, type Pod, type ResourceType } from "@stowage/machinery";
import { formatManifests } from "@stowage/operator";
import { bystanderPod, usesStorage } from "./bystander-pod.ts";
import type { GatherContext, RedactingContext } from "./gather-context.ts";
import { resourceName } from "./gather-plan.ts";
import { redactedObject } from "./redaction.ts";

/** As many as fit into a few megabytes as a rule. */
const PAGE_SIZE = 200;
/** Of what may be a megabyte each. */
const LARGE_PAGE_SIZE = 20;
const large: ReadonlySet<string> = new Set(["configmaps", "customresourcedefinitions.apiextensions.k8s.io", "secrets"]);
/** A list that takes so long that the server forgets its version is begun anew. */
const BEGINNINGS = 3;

export interface ObjectSet {
  readonly type: ResourceType;
  /** All of them when left out. */
  readonly namespace?: string;
  /** What is to be written of an object; undefined: nothing. */
  readonly keep?: (object: KubernetesObject) => KubernetesObject | undefined;
}

/** Lists the objects page by page and hands over each page; says in the report what came of it. False: not all of them came. */
export async function gatherSet(
  context: GatherContext,
  set: ObjectSet,
  take: (page: readonly KubernetesObject[]) => Promise<number>,
): Promise<boolean> {
  const { clock, report, signal } = context;
  const what = nameOf(set);
  const startedMs = clock.monotonicMs();
  context.onProgress(what);
  let count = 0;
  try {
    for (let beginning = 1; ; beginning++) {
      count = 0;
      try {
        for await (const page of pagesOf(context, set)) count += await take(page);
        break;
      } catch (error) {
        if (!isExpired(error) || beginning >= BEGINNINGS) throw error;
      }
    }
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (hasErrorCode(error, "GATHER_FOLDER_UNUSABLE")) throw error;
    // Discovery had it, so it is gone again, or nobody answers for it; where nobody asked, it is none of the cluster's.
    if (isNotFound(error)) report.note(`${what}: not served here`);
    else report.failed(count === 0 ? what : `${what} (all but the first ${count})`, error);
    return false;
  } finally {
    report.done({ what, count, tookMs: clock.monotonicMs() - startedMs });
  }
}

/** Writes every object into a file of its own; events of a namespace into one. */
export async function gatherObjects(context: RedactingContext, set: ObjectSet): Promise<void> {
  const { keep = (object) => object } = set;
  await gatherSet(context, set, async (page) => {
    const kept = page
      .flatMap((object) => keep(object) ?? [])
      .map((object) => redactedObject(object, context.redaction));
    if (set.type.plural === "events") await appendEvents(context, kept);
    else for (const object of kept) await context.folder.write(pathOf(set.type, object), formatManifests([object]));
    return kept.length;
  });
}

async function* pagesOf(context: GatherContext, { type, namespace }: ObjectSet): AsyncGenerator<KubernetesObject[]> {
  const { client, signal } = context;
  const limit = large.has(resourceName(type)) ? LARGE_PAGE_SIZE : PAGE_SIZE;
  let next: string | undefined;
  do {
    const options = { namespace, limit, continue: next, signal };
    const page = await context.patience.call(() => client.list<KubernetesObject>(type, options));
    yield page.items;
    next = page.continue;
  } while (next !== undefined);
}

async function appendEvents({ folder }: GatherContext, events: readonly KubernetesObject[]): Promise<void> {
  const byNamespace = Map.groupBy(events, ({ metadata }) => metadata.namespace ?? "");
  for (const [namespace, own] of byNamespace) {
    await folder.append(["namespaces", namespace, "core", "events.yaml"], `---\n${formatManifests(own)}`);
  }
}

/** As `oc adm inspect` lays its files out. */
export function pathOf({ group, plural }: ResourceType, { metadata }: KubernetesObject): string[] {
  const { namespace, name = "" } = metadata;
  const file = `${name}.yaml`;
  if (namespace === undefined) return ["cluster-scoped-resources", group || "core", plural, file];
  if (group === "" && plural === "pods") return ["namespaces", namespace, "pods", name, file];
  return ["namespaces", namespace, group || "core", plural, file];
}

function nameOf({ type, namespace }: ObjectSet): string {
  return namespace === undefined ? resourceName(type) : `${resourceName(type)} in ${namespace}`;
}

/** Of what is everywhere, what does not belong to somebody else. */
export function keepEverywhere(
  type: ResourceType,
  { chain, fromMs }: { readonly chain: ReadonlySet<string>; readonly fromMs: number },
): ObjectSet["keep"] {
  const isOfOthers = ({ metadata }: KubernetesObject) => !chain.has(metadata.namespace ?? "");
  if (type.group !== "") return undefined;
  if (type.plural === "pods") {
    return (pod) => (isOfOthers(pod) && usesStorage(pod as Pod) ? bystanderPod(pod as Pod) : undefined);
  }
  if (type.plural === "events") {
    return (event) =>
      isOfOthers(event) && isAboutStorage(event as Event) && isSince(event as Event, fromMs) ? event : undefined;
  }
  return undefined;
}

const storageKinds: ReadonlySet<string> = new Set([
  "PersistentVolume",
  "PersistentVolumeClaim",
  "StorageClass",
  "VolumeAttachment",
  "VolumeGroupSnapshot",
  "VolumeGroupSnapshotContent",
  "VolumeSnapshot",
  "VolumeSnapshotContent",
]);
/** Of events of Pods: what attaches and mounts says so by these. */
const mountReason = /Mount|Attach|Volume/u;

function isAboutStorage({ involvedObject, reason = "" }: Event): boolean {
  const { kind = "" } = involvedObject;
  return storageKinds.has(kind) || (kind === "Pod" && mountReason.test(reason));
}

export function isSince({ lastTimestamp, eventTime, metadata, series }: Event, fromMs: number): boolean {
  const last = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return last === undefined || last === null || Date.parse(last) >= fromMs;
}
