import { createController, isConflict, isNotFound, type KubeClient } from "@stowage/kube";
import { type Namespace, namespaces, parseTime, type SyncOutcome } from "@stowage/machinery";
import type { ControllerDeps, ControllerPart } from "../../kit/index.ts";
import { type ContentDeletion, deleteContent } from "./content-deletion.ts";
import { desiredConditions } from "./namespace-conditions.ts";

/** Of `spec`: it is taken away by its own subresource, when nothing is left. */
const FINALIZER = "kubernetes";

/**
 * Empties namespaces that are being deleted, and lets them go.
 *
 * Watches Namespaces. Deletes all objects in those that are being deleted, whatever resources the server has; writes their phase and
 * conditions, and takes the finalizer `kubernetes` from their spec. kube-controller-manager waits five seconds before it begins, for
 * API servers that have not heard of the deletion yet; here there is one.
 */
export function createNamespaceController(deps: ControllerDeps): ControllerPart {
  const controller = createController(deps, {
    name: "namespace",
    workers: 10,
    backoff: { initialMs: 5, maximumMs: 60_000 },
    sync: (name) => syncNamespace(deps, name),
  });
  controller.watch(deps.informers.informer(namespaces), ({ metadata }) =>
    metadata.deletionTimestamp === undefined ? [] : [metadata.name ?? ""],
  );
  return { name: "namespace-controller", run: (signal) => controller.run(signal) };
}

async function syncNamespace({ client, clock }: ControllerDeps, name: string): Promise<SyncOutcome | void> {
  const found = await client.find(namespaces, { name });
  const deletedAt = found?.metadata.deletionTimestamp;
  if (found === undefined || deletedAt === undefined) return;
  const namespace = await untilGone(() => changed(client, found, markTerminating));
  if (namespace === undefined || (namespace.spec?.finalizers ?? []).length === 0) return;
  const deletion = await deleteContent({ client, clock }, { name, deletedAtMs: parseTime(deletedAt) });
  await report(client, namespace, deletion, clock.nowMs());
  const { emptying, estimateSeconds } = deletion;
  if (emptying.discoveryFailure !== undefined || emptying.contentFailures.length > 0) return { retry: true };
  if (estimateSeconds > 0) return { requeueAfterMs: (Math.floor(estimateSeconds / 2) + 1) * 1000 };
  await untilGone(() => changed(client, namespace, finalize));
}

/** A report that comes too late is made with the next attempt. */
async function report(client: KubeClient, namespace: Namespace, deletion: ContentDeletion, nowMs: number) {
  const conditions = desiredConditions(namespace.status?.conditions, deletion.emptying, nowMs);
  if (conditions === undefined) return;
  const written = { ...namespace, status: { ...namespace.status, conditions } };
  await client.update(namespaces, written, { subresource: "status" }).catch((error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  });
}

type Change = (client: KubeClient, namespace: Namespace) => Promise<Namespace>;

async function markTerminating(client: KubeClient, namespace: Namespace): Promise<Namespace> {
  if (namespace.status?.phase === "Terminating") return namespace;
  const status = { ...namespace.status, phase: "Terminating" } as const;
  return await client.update(namespaces, { ...namespace, status }, { subresource: "status" });
}

function finalize(client: KubeClient, namespace: Namespace): Promise<Namespace> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((each) => each !== FINALIZER);
  const spec = { ...namespace.spec, finalizers };
  return client.update(namespaces, { ...namespace, spec }, { subresource: "finalize" });
}

/** Others write to a namespace that is going, too: on a conflict the change is made to the newest of this namespace. */
async function changed(client: KubeClient, namespace: Namespace, change: Change): Promise<Namespace | undefined> {
  let latest: Namespace | undefined = namespace;
  while (latest !== undefined && latest.metadata.uid === namespace.metadata.uid) {
    try {
      return await change(client, latest);
    } catch (error) {
      if (!isConflict(error)) throw error;
      latest = await client.find(namespaces, { name: namespace.metadata.name ?? "" });
    }
  }
  return undefined;
}

async function untilGone<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
