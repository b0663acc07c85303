import { createInformer, type DiscoveredResource, type Informer, type KubeClient } from "@stowage/kube";
import { apiVersionOf, type Clock, type KubernetesObject, type Logger, metadataOnly } from "@stowage/machinery";
import { hasVerbs } from "../preferred-resources.ts";

export interface MonitorsDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for the copies of each resource, before they are begun. */
  follow(informer: Informer<KubernetesObject>): void;
}

interface Monitor {
  readonly stop: AbortController;
  readonly running: Promise<void>;
}

const SYNC_MS = 10_000;
/** A server has dozens of resources, and each watch is a connection. */
const AT_ONCE = 12;

/** Nobody owns events by reference, and there are many. */
const ignored: ReadonlySet<string> = new Set(["/events", "events.k8s.io/events"]);

/** What can be watched for owners, and deleted when they go. */
export function collectableResources(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  return resources
    .filter((resource) => hasVerbs(resource, "delete", "list", "watch"))
    .filter(({ group, plural }) => !ignored.has(`${group}/${plural}`));
}

/** Follows the metadata of all resources that the server has, as they come and go. Not shared: informers of a factory never end. */
export class Monitors {
  readonly #deps: MonitorsDeps;
  readonly #monitors = new Map<string, Monitor>();

  constructor(deps: MonitorsDeps) {
    this.#deps = deps;
  }

  /** Begins with what is new and ends what is gone; `mayBeThere` tells of resources whose group does not answer at present. */
  async sync(
    resources: readonly DiscoveredResource[],
    mayBeThere: (apiVersion: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const wanted = new Map(resources.map((resource) => [`${apiVersionOf(resource)} ${resource.plural}`, resource]));
    const fresh = wanted.entries().filter(([key]) => !this.#monitors.has(key));
    const startNext = async () => {
      for (const [key, resource] of fresh) if (!signal.aborted) await this.#start(key, resource, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, startNext));
    const gone = [...this.#monitors].filter(([key]) => !wanted.has(key) && !mayBeThere(key.split(" ", 1).join("")));
    for (const [key] of gone) this.#monitors.delete(key);
    await ended(gone.map(([, monitor]) => monitor));
  }

  async stop(): Promise<void> {
    await ended([...this.#monitors.values()]);
  }

  async #start(key: string, resource: DiscoveredResource, signal: AbortSignal): Promise<void> {
    const { client, clock, logger, follow } = this.#deps;
    const selection = { transform: withoutDetails };
    const informer = createInformer({ client, type: metadataOnly(resource), selection, clock, logger });
    follow(informer);
    const stop = new AbortController();
    const either = AbortSignal.any([stop.signal, signal]);
    this.#monitors.set(key, { stop, running: informer.run(either) });
    // One that does not come is in nobody's way: owners that are not seen are asked for.
    await informer.waitForSync({ timeoutMs: SYNC_MS, signal: either }).catch(() => {});
  }
}

async function ended(monitors: readonly Monitor[]): Promise<void> {
  for (const { stop } of monitors) stop.abort();
  await Promise.all(monitors.map(({ running }) => running));
}

/** Of every object of the cluster one copy is kept: names, owners and finalizers are all that is read. */
function withoutDetails({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const { namespace, name, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences },
  };
}
