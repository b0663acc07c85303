import type { KubernetesObject, Logger } from "@stowage/machinery";
import type { ObjectReader } from "./object-cache.ts";

/** Called synchronously, in order; put the key on a queue and return. What a handler throws is logged and goes no further. */
export interface InformerHandler<T extends KubernetesObject> {
  onAdd?(object: T, about: { readonly isInInitialList: boolean }): void;
  onUpdate?(object: T, previous: T): void;
  /** `isFinalStateUnknown`: the deletion itself was missed; the object is as last seen. */
  onDelete?(object: T, about: { readonly isFinalStateUnknown: boolean }): void;
}

export interface HandlerRegistration {
  /** The handler has been given the whole initial list. */
  readonly hasSynced: boolean;
  remove(): void;
}

export function createHandlerList<T extends KubernetesObject>(objects: ObjectReader<T>, logger: Logger) {
  const handlers = new Set<InformerHandler<T>>();
  let isSynced = false;
  const guarded = (call: () => void) => {
    try {
      call();
    } catch (error) {
      logger.error({ error }, "an informer's handler threw");
    }
  };
  return {
    add(handler: InformerHandler<T>): HandlerRegistration {
      handlers.add(handler);
      for (const object of objects.list()) guarded(() => handler.onAdd?.(object, { isInInitialList: true }));
      return {
        get hasSynced() {
          return isSynced;
        },
        remove: () => void handlers.delete(handler),
      };
    },
    markSynced() {
      isSynced = true;
    },
    added(object: T, about: { readonly isInInitialList: boolean }) {
      for (const handler of handlers) guarded(() => handler.onAdd?.(object, about));
    },
    updated(object: T, previous: T) {
      for (const handler of handlers) guarded(() => handler.onUpdate?.(object, previous));
    },
    deleted(object: T, about: { readonly isFinalStateUnknown: boolean }) {
      for (const handler of handlers) guarded(() => handler.onDelete?.(object, about));
    },
  };
}
