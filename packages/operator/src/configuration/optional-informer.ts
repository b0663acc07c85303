import type { Informer, InformerFactory, InformerSelection, ObjectReader, RestMapper } from "@stowage/kube";
import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import type { Controller } from "../controllers/index.ts";
import { type OperatorWatch, type OperatorWatchFilter, watching } from "../operator-controllers/index.ts";

export interface OptionalInformerDeps {
  readonly mapper: Pick<RestMapper, "has">;
  readonly informers: Pick<InformerFactory, "informer">;
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
  { mapper, informers }: OptionalInformerDeps,
  { type, selection, ...filter }: OptionalInformerSpec<T>,
): OptionalInformer<T> {
  const controllers: Controller[] = [];
  let started: { readonly informer: Informer<T>; readonly watch: OperatorWatch } | undefined;
  const start = () => {
    const informer = informers.informer(type, selection);
    const watch = watching(informer, filter);
    for (const controller of controllers) watch.feed(controller);
    return { informer, watch };
  };
  const served = async (signal: AbortSignal) => {
    if (!(await mapper.has(type))) return undefined;
    started ??= start();
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
