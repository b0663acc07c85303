import { isDeepStrictEqual } from "node:util";
import { compareResourceVersions, isAlreadyExists, isNotFound, type KubeClient } from "@stowage/kube";
import {
  type ClusterOperator,
  type ClusterOperatorStatus,
  clusterOperators,
  escapeFieldValue,
  type RelatedObject,
} from "@stowage/machinery";
import { type OptionalInformer, type OptionalInformerDeps, optionalInformer } from "../configuration/index.ts";
import type { SyncOutcome } from "../controllers/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  operatorController,
} from "../operator-controllers/index.ts";
import { desiredClusterOperator } from "./cluster-operator-status.ts";
import { statusDifference } from "./status-difference.ts";

export interface ClusterOperatorDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    OptionalInformerDeps {
  readonly client: Pick<KubeClient, "find" | "create" | "update" | "delete">;
}

export interface ClusterOperatorSpec {
  /** Of the ClusterOperator: `storage`. */
  readonly name: string;
  /** `operator` and what else there is; asked at each sync, and what is not told goes. Trigger the controller when it changes. */
  readonly versions: () => Readonly<Record<string, string>>;
  readonly staticObjects: readonly RelatedObject[];
  /** Those of the drivers that were started. Undefined while that is not known: then those of the old object stay. */
  readonly relatedObjects?: (signal: AbortSignal) => Promise<readonly RelatedObject[] | undefined>;
  /** Between two writes at least: when many controllers begin at once, each says several things. At once when left out. */
  readonly writeIntervalMs?: number;
}

/**
 * Tells the cluster how the operator is, where the cluster has ClusterOperators.
 * Watches: the operator's resource, the ClusterOperator. Owns: the ClusterOperator. Writes conditions: none of the operator's.
 * Deletes: the ClusterOperator, when the operator's resource is gone.
 */
export function clusterOperatorController<T extends OperatorResource>(
  deps: ClusterOperatorDeps<T>,
  spec: ClusterOperatorSpec,
): OperatorController {
  const informer = optionalInformer(deps, {
    type: clusterOperators,
    selection: { fieldSelector: `metadata.name=${escapeFieldValue(spec.name)}` },
  });
  const sync: Sync = { deps, spec, informer, lastWritten: undefined, lastWriteMs: undefined, isMissingTold: false };
  return operatorController(deps, {
    name: `StatusSyncer_${spec.name}`,
    watches: [informer],
    resyncMs: 60_000,
    reportsDegraded: false,
    ignoresManagementState: true,
    sync: ({ operator, signal }) => syncClusterOperator(sync, operator, signal),
    syncWithout: ({ signal }) => deleteClusterOperator(sync, signal),
  });
}

interface Sync {
  readonly deps: ClusterOperatorDeps;
  readonly spec: ClusterOperatorSpec;
  readonly informer: OptionalInformer<ClusterOperator>;
  /** The answer to our last write, which the local copy may not have yet. */
  lastWritten: ClusterOperator | undefined;
  /** On the monotonic clock. */
  lastWriteMs: number | undefined;
  isMissingTold: boolean;
}

async function syncClusterOperator(
  sync: Sync,
  operator: OperatorResource,
  signal: AbortSignal,
): Promise<SyncOutcome | void> {
  const { deps, spec, informer } = sync;
  sync.isMissingTold = false;
  const objects = await informer.objects(signal);
  if (objects === undefined) return;
  const waitMs = timeToNextWrite(sync);
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const existing = newest(objects.get({ name: spec.name }), sync.lastWritten) ?? (await create(sync, signal));
  const nowMs = deps.clock.nowMs();
  const { status, dueMs } = desiredClusterOperator({
    existing: existing.status,
    conditions: operator.status?.conditions ?? [],
    isUnmanaged: operator.spec?.managementState === "Unmanaged" && deps.operator.management.allowsUnmanaged,
    versions: spec.versions(),
    staticObjects: spec.staticObjects,
    relatedObjects: await spec.relatedObjects?.(signal),
    nowMs,
  });
  await writeStatus(sync, existing, status, signal);
  return dueMs === undefined ? undefined : { requeueAfterMs: dueMs - nowMs };
}

function timeToNextWrite({ deps, spec, lastWriteMs }: Sync): number {
  if (lastWriteMs === undefined) return 0;
  return lastWriteMs + (spec.writeIntervalMs ?? 0) - deps.clock.monotonicMs();
}

async function writeStatus(
  sync: Sync,
  existing: ClusterOperator,
  status: ClusterOperatorStatus,
  signal: AbortSignal,
): Promise<void> {
  const before = existing.status ?? {};
  if (isDeepStrictEqual(withoutUndefined(before), withoutUndefined(status))) return;
  const { client, events } = sync.deps;
  const { name } = sync.spec;
  const { apiVersion, kind, metadata } = existing;
  const identity = { name, uid: metadata.uid, resourceVersion: metadata.resourceVersion };
  const object: ClusterOperator = { apiVersion, kind, metadata: identity, spec: {}, status };
  try {
    sync.lastWriteMs = sync.deps.clock.monotonicMs();
    sync.lastWritten = await client.update(clusterOperators, object, { subresource: "status", signal });
  } catch (error) {
    // What we last wrote is not what is there: the local copy will know.
    sync.lastWritten = undefined;
    throw error;
  }
  for (const change of versionChanges(name, before, status)) events.normal("OperatorVersionChanged", change);
  const difference = statusDifference(before, status);
  if (difference === "") return;
  events.normal("OperatorStatusChanged", `Status for clusteroperator/${name} changed: ${difference}`);
}

function versionChanges(name: string, before: ClusterOperatorStatus, after: ClusterOperatorStatus): string[] {
  return (after.versions ?? []).flatMap(({ name: operand, version }) => {
    const previous = before.versions?.find((each) => each.name === operand)?.version ?? "";
    return previous === version
      ? []
      : [`clusteroperator/${name} version "${operand}" changed from "${previous}" to "${version}"`];
  });
}

async function create({ deps, spec }: Sync, signal: AbortSignal): Promise<ClusterOperator> {
  const { client, events } = deps;
  try {
    return await client.create(clusterOperators, { metadata: { name: spec.name }, spec: {} }, { signal });
  } catch (error) {
    if (isAlreadyExists(error)) {
      const found = await client.find(clusterOperators, { name: spec.name }, { signal });
      if (found !== undefined) return found;
    }
    events.warning("StatusCreateFailed", `Failed to create operator status: ${String(error)}`);
    throw error;
  }
}

async function deleteClusterOperator(sync: Sync, signal: AbortSignal): Promise<void> {
  const { deps, spec, informer } = sync;
  const objects = await informer.objects(signal);
  if (objects === undefined) return;
  if (!sync.isMissingTold) {
    const message = `Unable to determine current operator status for clusteroperator/${spec.name}`;
    deps.events.warning("StatusNotFound", message);
    sync.isMissingTold = true;
  }
  if (newest(objects.get({ name: spec.name }), sync.lastWritten) === undefined) return;
  sync.lastWritten = undefined;
  try {
    await deps.client.delete(clusterOperators, { name: spec.name }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** One that is not in the local copy was deleted, unless the copy has yet to hear of it: then a create finds it. */
function newest(local: ClusterOperator | undefined, written: ClusterOperator | undefined): ClusterOperator | undefined {
  if (local === undefined || written?.metadata.uid !== local.metadata.uid) return local;
  const order = compareResourceVersions(written?.metadata.resourceVersion ?? "", local.metadata.resourceVersion ?? "");
  return order !== undefined && order > 0 ? written : local;
}

function withoutUndefined(status: ClusterOperatorStatus): unknown {
  return JSON.parse(JSON.stringify(status));
}
