import { type Informer, isAlreadyExists, isNotFound, type KubeClient } from "@stowage/kube";
import {
  type ControllerRevision,
  controllerRevisions,
  type Pod,
  type PodTemplateSpec,
  type StatefulSet,
  statefulSets,
} from "@stowage/machinery";
import { controllerReference, templateHash } from "../../kit/index.ts";
import {
  byRevision,
  claimedHistory,
  isOfTemplate,
  latestRevisionOf,
  type TemplatePatch,
  templatePatch,
} from "../history/index.ts";
import { revisionOf } from "./stateful-pod.ts";

const HASH_LABEL = "controller.kubernetes.io/hash";
const NAME_LIMIT = 223;

export interface StatefulHistory {
  readonly all: readonly ControllerRevision[];
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

interface Historian {
  readonly client: KubeClient;
  readonly revisions: Informer<ControllerRevision>;
}

const templateOf = ({ spec }: StatefulSet): PodTemplateSpec => spec?.template ?? {};

/** The set as it was when it had the revision's template. */
export function setOfRevision(set: StatefulSet, { data }: ControllerRevision): StatefulSet {
  const { $patch: _replace, ...template } = (data as TemplatePatch).spec.template;
  return { ...set, spec: { ...set.spec, template } as NonNullable<StatefulSet["spec"]> };
}

function desiredRevision(set: StatefulSet, revision: number, collisionCount: number): ControllerRevision {
  const data = templatePatch(templateOf(set));
  const hash = templateHash(data, collisionCount);
  const { name = "", namespace, annotations } = set.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${name.slice(0, NAME_LIMIT)}-${hash}`,
      namespace,
      labels: { ...templateOf(set).metadata?.labels, [HASH_LABEL]: hash },
      annotations,
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision,
  };
}

export async function syncHistory(historian: Historian, set: StatefulSet): Promise<StatefulHistory> {
  const { client } = historian;
  const claimed = await claimedHistory({ ...historian, ownerType: statefulSets }, set, set.spec?.selector);
  const all = claimed.toSorted(byRevision);
  const { update, collisionCount } = await updateRevision(client, set, all);
  const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { all, current, update, collisionCount };
}

/** The one of the present template: the latest, an older one that becomes it, or a new one. */
async function updateRevision(client: KubeClient, set: StatefulSet, all: readonly ControllerRevision[]) {
  const collisionCount = set.status?.collisionCount ?? 0;
  const known = all.findLast((each) => isOfTemplate(each, templateOf(set)));
  if (known === undefined) return await createRevision(client, set, latestRevisionOf(all) + 1);
  if (known === all.at(-1)) return { update: known, collisionCount };
  const revision = latestRevisionOf(all) + 1;
  return { update: await client.update(controllerRevisions, { ...known, revision }), collisionCount };
}

/** Until there is a name that no other template has. */
async function createRevision(client: KubeClient, set: StatefulSet, revision: number) {
  for (let collisionCount = set.status?.collisionCount ?? 0; ; collisionCount++) {
    const desired = desiredRevision(set, revision, collisionCount);
    const { name = "", namespace } = desired.metadata;
    const update = await client.create(controllerRevisions, desired).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      return await client.get(controllerRevisions, { name, namespace });
    });
    if (isOfTemplate(update, templateOf(set))) return { update, collisionCount };
  }
}

/** Keeps as many as can be rolled back to, beside those that are in use. */
export async function removeOutdated(
  client: KubeClient,
  set: StatefulSet,
  { all, current, update, pods }: StatefulHistory & { readonly pods: readonly Pod[] },
): Promise<void> {
  const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
  const unused = all.filter(({ metadata }) => !live.has(metadata.name));
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
    const { namespace, name = "" } = metadata;
    await client.delete(controllerRevisions, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
