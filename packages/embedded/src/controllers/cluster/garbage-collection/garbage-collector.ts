import {
  createController,
  createRestMapper,
  discoverResources,
  type EventRecorder,
  type Informer,
} from "@stowage/kube";
import {
  apiVersionOf,
  customResourceDefinitions,
  hasErrorCode,
  type KubernetesObject,
  type OwnerReference,
  type SyncContext,
  type SyncOutcome,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import { preferredResources } from "../preferred-resources.ts";
import { AbsentOwners } from "./absent-owners.ts";
import { type Collection, checkObject, orphanDependents } from "./collection.ts";
import { describeIdentity, type GraphNode, ownerIdentity } from "./graph-node.ts";
import { collectableResources, Monitors } from "./monitors.ts";
import { ObjectAccess } from "./object-access.ts";
import { OwnerGraph } from "./owner-graph.ts";

const WORKERS = 20;
/** How often the server is asked for resources, if no CRD has changed meanwhile. */
const DISCOVERY_MS = 30_000;
/** After a failure at the start. */
const RETRY_MS = 1_000;
/** So long after a CRD has changed, since many mostly change at once. */
const SETTLE_MS = 200;

/**
 * Deletes what has lost all its owners.
 *
 * Watches the metadata of all resources that the server has, but for events. Deletes objects none of whose owners is there; takes
 * references to owners that are gone from objects that have others; writes the finalizers `foregroundDeletion` and `orphan`: the
 * first is taken away when all that blocks the object is gone, the second when nothing refers to it any more. Tells of references
 * into other namespaces by events.
 */
export function createGarbageCollector(deps: ControllerDeps): ControllerPart {
  const { client, clock, logger } = deps;
  const mapper = createRestMapper({ client, clock, logger });
  const absent = new AbsentOwners();
  const recorder = deps.recorder("garbage-collector-controller");
  const graph = new OwnerGraph({
    check: ({ identity }) => deletions.queue.add(identity.uid),
    checkLater: ({ identity }) => deletions.queue.addAfter(identity.uid, SETTLE_MS),
    orphan: ({ identity }) => orphans.queue.add(identity.uid),
    absent: (identity) => absent.add(identity),
    foreignOwner: (dependent, owner) => tellForeignOwner(recorder, dependent, owner),
  });
  const check = ({ identity }: GraphNode) => deletions.queue.add(identity.uid);
  const collection: Collection = { graph, absent, access: new ObjectAccess(client, mapper), check };
  const part = (name: string, sync: (uid: string, context: SyncContext) => Promise<SyncOutcome | void>) =>
    createController(deps, { name, workers: WORKERS, backoff: queueBackoff, sync: retryOnConflict(sync) });
  const deletions = part("garbage_collector_attempt_to_delete", (uid) => checked(collection, uid));
  const orphans = part("garbage_collector_attempt_to_orphan", (uid) => orphanDependents(collection, uid));
  const nudge = new Nudge();
  const monitors = new Monitors({ client, clock, logger, follow: (informer) => follow(graph, informer, nudge) });

  const look = async (signal: AbortSignal): Promise<boolean> => {
    mapper.invalidate();
    return await syncMonitors(deps, monitors, signal).catch((error: unknown) => {
      logger.warn({ error }, "the server's resources are not known; the garbage collector asks again");
      return false;
    });
  };
  const followServer = async (signal: AbortSignal) => {
    for (;;) {
      await nudge.next(deps, signal);
      if (signal.aborted) return await monitors.stop();
      await look(signal);
    }
  };
  return {
    name: "garbage-collector-controller",
    async run(signal) {
      // An owner must not go before those are known that wait for it to let them live.
      while (!signal.aborted && !(await look(signal))) await clock.sleep(RETRY_MS, signal).catch(() => {});
      await Promise.all([deletions.run(signal), orphans.run(signal), followServer(signal)]);
    },
  };
}

async function checked(collection: Collection, uid: string): Promise<SyncOutcome | void> {
  try {
    // As long as nobody has seen the owner, whether it is there is asked again: it may come and go in between.
    if (await checkObject(collection, uid)) return { retry: true };
  } catch (error) {
    // The kind may be defined later, or never.
    if (hasErrorCode(error, "KIND_NOT_SERVED")) return { retry: true };
    throw error;
  }
}

async function syncMonitors({ client }: ControllerDeps, monitors: Monitors, signal: AbortSignal): Promise<boolean> {
  const server = await discoverResources(client);
  const silent = new Set(server.failures.map(apiVersionOf));
  const resources = collectableResources(preferredResources(server));
  if (resources.length === 0) return false;
  await monitors.sync(resources, (apiVersion) => silent.has(apiVersion), signal);
  return true;
}

function follow(graph: OwnerGraph, informer: Informer<KubernetesObject>, nudge: Nudge): void {
  informer.addHandler({
    onAdd: (object) => graph.seen(object),
    onUpdate: (object, previous) => graph.seen(object, previous),
    onDelete: (object) => graph.gone(object),
  });
  const { group, plural } = informer.type;
  const isOfDefinitions = group === customResourceDefinitions.group && plural === customResourceDefinitions.plural;
  if (isOfDefinitions) informer.addHandler({ onKey: () => nudge.give() });
}

function tellForeignOwner(recorder: EventRecorder, { identity }: GraphNode, owner: OwnerReference): void {
  const { apiVersion, kind, namespace, name, uid } = identity;
  const about = { apiVersion, kind, metadata: { namespace, name, uid } };
  const named = describeIdentity(ownerIdentity(owner, namespace));
  const message = `ownerRef ${named} does not exist in namespace "${namespace}"`;
  recorder.event(about, "Warning", "OwnerRefInvalidNamespace", message);
}

/** Wakes whoever waits for the next time to look. */
class Nudge {
  #isGiven = false;
  #wake = () => {};

  give(): void {
    this.#isGiven = true;
    this.#wake();
  }

  async next({ clock }: ControllerDeps, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    if (!this.#isGiven) await clock.sleep(DISCOVERY_MS, AbortSignal.any([signal, woken.signal])).catch(() => {});
    if (this.#isGiven) await clock.sleep(SETTLE_MS, signal).catch(() => {});
    this.#isGiven = false;
  }
}
