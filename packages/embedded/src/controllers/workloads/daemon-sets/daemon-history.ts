import { type Informer, isAlreadyExists, isNotFound, type KubeClient } from "@stowage/kube";
import {
  type ControllerRevision,
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  type Pod,
  pods,
} from "@stowage/machinery";
import { controllerReference, templateHash } from "../../kit/index.ts";
import { byRevision, claimedHistory, isOfTemplate, latestRevisionOf, templatePatch } from "../history/index.ts";
import { HASH_LABEL } from "./daemon-pod.ts";

export interface DaemonHistory {
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
}

interface Historian {
  readonly client: KubeClient;
  readonly revisions: Informer<ControllerRevision>;
}

const templateOf = ({ spec }: DaemonSet) => spec?.template ?? {};

function desiredRevision(set: DaemonSet, revision: number): ControllerRevision {
  const template = templateOf(set);
  const hash = templateHash(template, set.status?.collisionCount);
  const { name = "", namespace, annotations } = set.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, [HASH_LABEL]: hash },
      annotations,
      ownerReferences: [controllerReference(set)],
    },
    data: templatePatch(template),
    revision,
  };
}

/** The revision of the template that is wanted, made or moved to the top, and all others. */
export async function syncHistory(historian: Historian, set: DaemonSet, own: readonly Pod[]): Promise<DaemonHistory> {
  const { client } = historian;
  const all = await claimedHistory({ ...historian, ownerType: daemonSets }, set, set.spec?.selector);
  const ofTemplate = all.filter((each) => isOfTemplate(each, templateOf(set)));
  const old = all.filter((each) => !ofTemplate.includes(each));
  const revision = latestRevisionOf(old) + 1;
  const [latest, ...doubles] = ofTemplate.toSorted((a, b) => byRevision(b, a));
  if (latest === undefined) return { current: await createRevision(client, set, revision), old };
  for (const double of doubles) await dropDouble(client, latest, { double, own });
  if (latest.revision >= revision) return { current: latest, old };
  return { current: await client.update(controllerRevisions, { ...latest, revision }), old };
}

async function createRevision(client: KubeClient, set: DaemonSet, revision: number): Promise<ControllerRevision> {
  const desired = desiredRevision(set, revision);
  try {
    return await client.create(controllerRevisions, desired);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name = "", namespace } = desired.metadata;
    const taken = await client.get(controllerRevisions, { name, namespace });
    if (isOfTemplate(taken, templateOf(set))) return taken;
    const collisionCount = (set.status?.collisionCount ?? 0) + 1;
    const status = { ...set.status, collisionCount } as NonNullable<DaemonSet["status"]>;
    await client.update(daemonSets, { ...set, status }, { subresource: "status" });
    throw error;
  }
}

/** Its Pods count for the other from then on. */
async function dropDouble(
  client: KubeClient,
  kept: ControllerRevision,
  { double, own }: { double: ControllerRevision; own: readonly Pod[] },
): Promise<void> {
  const hash = kept.metadata.labels?.[HASH_LABEL];
  const labelled = own.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] === double.metadata.labels?.[HASH_LABEL]);
  for (const { metadata } of labelled) {
    const patch = { metadata: { labels: { [HASH_LABEL]: hash } } };
    await client.patch(pods, { namespace: metadata.namespace, name: metadata.name ?? "" }, { type: "merge", patch });
  }
  await removeRevision(client, double);
}

async function removeRevision(client: KubeClient, { metadata }: ControllerRevision): Promise<void> {
  const { namespace, name = "" } = metadata;
  await client.delete(controllerRevisions, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Keeps as many as can be rolled back to, and those that Pods still have. */
export async function removeOutdated(
  client: KubeClient,
  set: DaemonSet,
  { old, own }: { old: readonly ControllerRevision[]; own: readonly Pod[] },
): Promise<void> {
  const live = new Set(own.map(({ metadata }) => metadata.labels?.[HASH_LABEL]));
  const surplus = old.length - (set.spec?.revisionHistoryLimit ?? 10);
  const unused = old.toSorted(byRevision).filter(({ metadata }) => !live.has(metadata.labels?.[HASH_LABEL]));
  for (const revision of unused.slice(0, Math.max(0, surplus))) await removeRevision(client, revision);
}
