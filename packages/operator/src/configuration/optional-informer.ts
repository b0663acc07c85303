import {
  type Informer,
  type InformerFactory,
  type InformerSelection,
  isNotFound,
  type ObjectReader,
  type RestMapper,
} from "@stowage/kube";
import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import type { Controller } from "../controllers/index.ts";
import { type OperatorWatch, type OperatorWatchFilter, watching } from "../operator-controllers/index.ts";

/** For so long an API may be named by discovery and not be there: one that was made a moment ago is not served at once. */
const APPEARANCE_MS = 5_000;

export interface OptionalInformerDeps {
  readonly mapper: Pick<RestMapper, "has">;
  readonly informers: Pick<InformerFactory, "informer">;
  readonly appearanceMs?: number;
}

export interface OptionalInformerSpec<T extends KubernetesObject> extends OperatorWatchFilter<T> {
  readonly type: ResourceType<T>;
  readonly selection?: InformerSelection<T>;
}

/** Local copies of a resource that not every cluster has. Its watch begins when the API is first found there. */
export interface OptionalInformer<T extends KubernetesObject> extends OperatorWatch {
  /** Undefined where the API is not served; rejects while that cannot be told. Controllers that resync find it when it appears. */
  objects(signal: AbortSignal): Promise<ObjectReader<T> | undefined>;
  /** Likewise; it has its first list. */
  informer(signal: AbortSignal): Promise<Informer<T> | undefined>;
}

export function optionalInformer<T extends KubernetesObject>(
  { mapper, informers, appearanceMs = APPEARANCE_MS }: OptionalInformerDeps,
  { type, selection, ...filter }: OptionalInformerSpec<T>,
): OptionalInformer<T> {
  const controllers: Controller[] = [];
  let started: { readonly informer: Informer<T>; readonly watch: OperatorWatch } | undefined;
  let wasMissing = false;
  const start = () => {
    const informer = informers.informer(type, selection);
    const watch = watching(informer, filter);
    for (const controller of controllers) watch.feed(controller);
    return { informer, watch };
  };
  const served = async (signal: AbortSignal) => {
    if (!(await mapper.has(type))) return undefined;
    started ??= start();
    wasMissing = await isMissing(started.informer, wasMissing ? 0 : appearanceMs, signal);
    if (wasMissing) return undefined;
    await started.watch.waitForSync(signal);
    return started.informer;
  };
  return {
    informer: served,
    objects: async (signal) => (await served(signal))?.objects,
    feed(controller) {
      controllers.push(controller);
      started?.watch.feed(controller);
    },
    async waitForSync(signal) {
      // An API that cannot be asked about just now must not keep a controller from its start: each sync asks again, and reports.
      const isServed = await mapper.has(type).catch(() => false);
      if (isServed) await served(signal);
    },
  };
}

/** Discovery may name what has gone meanwhile. The informer goes on asking for it; nobody else has to wait until it is back. */
async function isMissing<T extends KubernetesObject>(
  informer: Informer<T>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (informer.hasSynced) return false;
  return informer.waitForSync({ timeoutMs, signal }).then(
    () => false,
    () => isNotFound(informer.health().lastError),
  );
}
