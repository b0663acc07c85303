import type { KubernetesObject } from "@stowage/machinery";
import { keyOf } from "./object-key.ts";
import type { Arrival } from "./reflector.ts";

/** The values under which an object is found in an index. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Reads what an informer knows, without a request. The objects are frozen and shared: copy before changing one. */
export interface ObjectReader<T extends KubernetesObject> {
  readonly size: number;
  get(ref: { readonly namespace?: string; readonly name: string }): T | undefined;
  getByKey(key: string): T | undefined;
  list(): T[];
  keys(): IterableIterator<string>;
  byIndex(indexName: string, value: string): T[];
}

interface Index<T> {
  readonly valuesOf: IndexFunction<T>;
  /** Most values lead to one object, which needs no set of its own: at ten thousand objects those are megabytes. */
  readonly keysByValue: Map<string, string | Set<string>>;
}

/** The objects of one informer by key, and by the values of its indexes. Each is decoded when it is first read. */
export class ObjectCache<T extends KubernetesObject> implements ObjectReader<T> {
  readonly #arrivals = new Map<string, Arrival<T>>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onUnreadable: (error: unknown) => void;

  /** `onUnreadable` is told of an object that cannot be decoded, before whoever reads it is. */
  constructor(onUnreadable: (error: unknown) => void) {
    this.#onUnreadable = onUnreadable;
  }

  get size(): number {
    return this.#arrivals.size;
  }

  get(ref: { readonly namespace?: string; readonly name: string }): T | undefined {
    return this.getByKey(keyOf(ref));
  }

  getByKey(key: string): T | undefined {
    const arrival = this.#arrivals.get(key);
    return arrival && this.#read(key, arrival);
  }

  /** The object with its identity, not decoded. */
  arrivalOf(key: string): Arrival<T> | undefined {
    return this.#arrivals.get(key);
  }

  list(): T[] {
    const objects: T[] = [];
    for (const [key, arrival] of this.#arrivals) objects.push(this.#read(key, arrival));
    return objects;
  }

  keys(): IterableIterator<string> {
    return this.#arrivals.keys();
  }

  byIndex(indexName: string, value: string): T[] {
    const index = this.#indexes.get(indexName);
    if (index === undefined) throw new TypeError(`there is no index "${indexName}"`);
    const found: T[] = [];
    for (const key of keysOf(index, value)) found.push(this.getByKey(key) as T);
    return found;
  }

  /** Adding the same function twice is allowed; another one under a taken name is a mistake. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const existing = this.#indexes.get(name);
    if (existing?.valuesOf === valuesOf) return;
    if (existing !== undefined) throw new TypeError(`the index "${name}" exists with another function`);
    const index: Index<T> = { valuesOf, keysByValue: new Map() };
    for (const [key, arrival] of this.#arrivals) addToIndex(index, key, this.#read(key, arrival));
    this.#indexes.set(name, index);
  }

  set(key: string, arrival: Arrival<T>): void {
    if (this.#indexes.size > 0) {
      this.#removeFromIndexes(key);
      for (const index of this.#indexes.values()) addToIndex(index, key, arrival.object);
    }
    this.#arrivals.set(key, arrival);
  }

  delete(key: string): void {
    this.#removeFromIndexes(key);
    this.#arrivals.delete(key);
  }

  #removeFromIndexes(key: string): void {
    const previous = this.#indexes.size > 0 ? this.getByKey(key) : undefined;
    if (previous === undefined) return;
    for (const index of this.#indexes.values()) removeFromIndex(index, key, previous);
  }

  #read(key: string, arrival: Arrival<T>): T {
    try {
      return arrival.object;
    } catch (error) {
      // What comes with the next list is newer than this, so that it takes its place.
      const identity = { ...arrival.identity, resourceVersion: "0" };
      this.#arrivals.set(key, {
        ...arrival,
        identity,
        get object(): T {
          throw error;
        },
      });
      this.#onUnreadable(error);
      throw error;
    }
  }
}

function addToIndex<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keysByValue.get(value);
    if (keys === undefined) index.keysByValue.set(value, key);
    else if (typeof keys !== "string") keys.add(key);
    else if (keys !== key) index.keysByValue.set(value, new Set([keys, key]));
  }
}

function keysOf<T>({ keysByValue }: Index<T>, value: string): Iterable<string> {
  const keys = keysByValue.get(value) ?? [];
  return typeof keys === "string" ? [keys] : keys;
}

function removeFromIndex<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keysByValue.get(value);
    if (keys === key) index.keysByValue.delete(value);
    if (keys === undefined || typeof keys === "string") continue;
    keys.delete(key);
    if (keys.size === 0) index.keysByValue.delete(value);
  }
}
