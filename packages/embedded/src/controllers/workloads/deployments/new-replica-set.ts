import { isAlreadyExists, isNamespaceTerminating } from "@stowage/kube";
import {
  type Deployment,
  findCondition,
  type LabelSelector,
  type PodTemplateSpec,
  type ReplicaSet,
  replicaSets,
} from "@stowage/machinery";
import { canonicalText, controllerReference, errorText, isControlledBy, templateHash } from "../../kit/index.ts";
import { hasProgressDeadline, withCondition } from "./deployment-status.ts";
import { annotationNames, latestRevision, newSetAnnotations, replicasAnnotations } from "./revisions.ts";
import { type Rollout, writeDeployment, writeSet } from "./rollout.ts";
import { newSetReplicas } from "./rollout-amounts.ts";
import { byCreation } from "./set-order.ts";

const HASH_LABEL = "pod-template-hash";
const NAME_LIMIT = 253;

/** The one with the Deployment's template, or the oldest of them. */
export function findNewSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const wanted = templateText(deployment.spec?.template);
  return sets.toSorted(byCreation).find(({ spec }) => templateText(spec?.template) === wanted);
}

/** Without the hash that the Deployment's own template does not have. */
function templateText(template: PodTemplateSpec | undefined): string {
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return canonicalText({ ...template, metadata: { ...template?.metadata, labels } });
}

function desiredNewSet(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const { name = "", namespace } = deployment.metadata;
  const { template = {}, selector, minReadySeconds } = deployment.spec ?? {};
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  const annotations = newSetAnnotations(deployment, {}, latestRevision(old) + 1);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name.slice(0, NAME_LIMIT - 1 - hash.length)}-${hash}`,
      namespace,
      labels,
      annotations: { ...annotations, ...replicasAnnotations(deployment) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newSetReplicas(deployment, old, 0),
      minReadySeconds,
      selector: withHash(selector, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

function withHash(selector: LabelSelector | undefined, hash: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } };
}

/** The new ReplicaSet with its annotations up to date, and its revision on the Deployment; undefined when there is none. */
export async function syncNewSet(rollout: Rollout, old: readonly ReplicaSet[]): Promise<ReplicaSet | undefined> {
  const { deployment, sets } = rollout;
  const existing = findNewSet(deployment, sets);
  if (existing === undefined) return undefined;
  const current = existing.metadata.annotations ?? {};
  const annotations = newSetAnnotations(deployment, current, latestRevision(old) + 1);
  const { minReadySeconds } = deployment.spec ?? {};
  const isReadyAlike = (existing.spec?.minReadySeconds ?? 0) === (minReadySeconds ?? 0);
  if (canonicalText(current) !== canonicalText(annotations) || !isReadyAlike) {
    const spec = { ...existing.spec, minReadySeconds } as NonNullable<ReplicaSet["spec"]>;
    return await writeSet(rollout, { ...existing, metadata: { ...existing.metadata, annotations }, spec });
  }
  await noteRevision(rollout, annotations[annotationNames.revision] ?? "", {
    reason: "FoundNewReplicaSet",
    message: `Found new replica set "${existing.metadata.name}"`,
    isKnownEnough: findCondition(deployment.status?.conditions, "Progressing") !== undefined,
  });
  return existing;
}

/** Makes it. When its name is taken by another this fails, and the next try has another name. */
export async function createNewSet(rollout: Rollout, old: readonly ReplicaSet[]): Promise<ReplicaSet> {
  const { client, recorder, deployment } = rollout;
  const desired = desiredNewSet(deployment, old);
  const { created, isOurs } = await client.create(replicaSets, desired).then(
    (set) => ({ created: set, isOurs: true }),
    async (error: unknown) => ({ created: await takenSet(rollout, desired, error), isOurs: false }),
  );
  rollout.sets = [...rollout.sets, created];
  const replicas = desired.spec?.replicas ?? 0;
  const { name } = created.metadata;
  if (isOurs && replicas > 0) {
    recorder.event(deployment, "Normal", "ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${replicas}`);
  }
  await noteRevision(rollout, String(latestRevision(old) + 1), {
    reason: "NewReplicaSetCreated",
    message: `Created new replica set "${name}"`,
    isKnownEnough: !isOurs,
  });
  return created;
}

/** When the copies are behind it is the one that is wanted; when the hash collides, another is tried; else it is told. */
async function takenSet(rollout: Rollout, desired: ReplicaSet, error: unknown): Promise<ReplicaSet> {
  const { client, deployment } = rollout;
  const { name = "", namespace } = desired.metadata;
  if (!isAlreadyExists(error)) {
    if (!isNamespaceTerminating(error)) await tellFailure(rollout, name, error);
    throw error;
  }
  const taken = await client.get(replicaSets, { name, namespace });
  const isSame = templateText(taken.spec?.template) === templateText(deployment.spec?.template);
  if (isControlledBy(taken, deployment) && isSame) return taken;
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  await writeDeployment(rollout, { status: { ...deployment.status, collisionCount } });
  throw error;
}

async function tellFailure(rollout: Rollout, name: string, error: unknown): Promise<void> {
  const { deployment, recorder, clock } = rollout;
  const message = `Failed to create new replica set "${name}": ${errorText(error)}`;
  recorder.event(deployment, "Warning", "ReplicaSetCreateError", message);
  if (!hasProgressDeadline(deployment)) return;
  const said = { type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message };
  const conditions = withCondition(deployment.status?.conditions, said, clock.nowMs());
  await writeDeployment(rollout, { status: { ...deployment.status, conditions } });
}

interface Found {
  readonly reason: string;
  readonly message: string;
  /** Progress is told already. */
  readonly isKnownEnough: boolean;
}

async function noteRevision(
  rollout: Rollout,
  revision: string,
  { reason, message, isKnownEnough }: Found,
): Promise<void> {
  const { deployment, clock } = rollout;
  const { annotations = {} } = deployment.metadata;
  const isTold = isKnownEnough || !hasProgressDeadline(deployment);
  if (annotations[annotationNames.revision] === revision && isTold) return;
  const { status } = deployment;
  const said = { type: "Progressing", status: "True", reason, message };
  await writeDeployment(rollout, {
    annotations: { ...annotations, [annotationNames.revision]: revision },
    status: isTold ? status : { ...status, conditions: withCondition(status?.conditions, said, clock.nowMs()) },
  });
}
