import type { KubernetesObject, Logger } from "@stowage/machinery";
import type { ObjectReader } from "./object-cache.ts";
import type { Arrival } from "./reflector.ts";

/**
 * Called synchronously, in order; put the key on a queue and return. What a handler throws is logged and goes no further. A
 * handler that needs no more than keys takes `onKey` alone: then objects are not decoded before somebody reads them.
 */
export interface InformerHandler<T extends KubernetesObject> {
  /** Something about the object changed: it was added, updated, deleted or resynced. */
  onKey?(key: string): void;
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

/** Who is told of changes. An arrival's object is read, and so perhaps decoded, only for a handler that takes objects. */
export class HandlerList<T extends KubernetesObject> {
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #objects: ObjectReader<T>;
  readonly #logger: Logger;
  #isSynced = false;

  constructor(objects: ObjectReader<T>, logger: Logger) {
    this.#objects = objects;
    this.#logger = logger;
  }

  add(handler: InformerHandler<T>): HandlerRegistration {
    this.#handlers.add(handler);
    const about = { isInInitialList: true };
    for (const key of this.#objects.keys()) {
      try {
        handler.onKey?.(key);
        handler.onAdd?.(this.#objects.getByKey(key) as T, about);
      } catch (error) {
        this.#report(error);
      }
    }
    const isSynced = () => this.#isSynced;
    return {
      get hasSynced() {
        return isSynced();
      },
      remove: () => void this.#handlers.delete(handler),
    };
  }

  /** Whether anybody takes more than keys. */
  get takesObjects(): boolean {
    return this.#handlers.values().some(({ onAdd, onUpdate, onDelete }) => onAdd ?? onUpdate ?? onDelete);
  }

  markSynced(): void {
    this.#isSynced = true;
  }

  added(key: string, arrival: Arrival<T>, about: { readonly isInInitialList: boolean }): void {
    for (const handler of this.#handlers) {
      try {
        handler.onKey?.(key);
        handler.onAdd?.(arrival.object, about);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  updated(key: string, arrival: Arrival<T>, previous: Arrival<T>): void {
    for (const handler of this.#handlers) {
      try {
        handler.onKey?.(key);
        handler.onUpdate?.(arrival.object, previous.object);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  deleted(key: string, arrival: Arrival<T>, about: { readonly isFinalStateUnknown: boolean }): void {
    for (const handler of this.#handlers) {
      try {
        handler.onKey?.(key);
        handler.onDelete?.(arrival.object, about);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  #report(error: unknown): void {
    this.#logger.error({ error }, "an informer's handler threw");
  }
}
