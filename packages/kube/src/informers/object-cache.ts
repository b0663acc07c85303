import type { KubernetesObject } from "@stowage/machinery";
import { keyOf, objectKey } from "./object-key.ts";

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
  readonly keysByValue: Map<string, Set<string>>;
}

/** The objects of one informer by key, and by the values of its indexes. */
export class ObjectCache<T extends KubernetesObject> implements ObjectReader<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(ref: { readonly namespace?: string; readonly name: string }): T | undefined {
    return this.#objects.get(keyOf(ref));
  }

  getByKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  byIndex(indexName: string, value: string): T[] {
    const index = this.#indexes.get(indexName);
    if (index === undefined) throw new TypeError(`there is no index "${indexName}"`);
    const found: T[] = [];
    for (const key of index.keysByValue.get(value) ?? []) found.push(this.#objects.get(key) as T);
    return found;
  }

  /** Adding the same function twice is allowed; another one under a taken name is a mistake. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const existing = this.#indexes.get(name);
    if (existing?.valuesOf === valuesOf) return;
    if (existing !== undefined) throw new TypeError(`the index "${name}" exists with another function`);
    const index: Index<T> = { valuesOf, keysByValue: new Map() };
    for (const [key, object] of this.#objects) addToIndex(index, key, object);
    this.#indexes.set(name, index);
  }

  set(object: T): void {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) removeFromIndex(index, key, previous);
      addToIndex(index, key, object);
    }
  }

  delete(key: string): void {
    const previous = this.#objects.get(key);
    if (previous === undefined) return;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) removeFromIndex(index, key, previous);
  }
}

function addToIndex<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keysByValue.get(value);
    if (keys === undefined) index.keysByValue.set(value, new Set([key]));
    else keys.add(key);
  }
}

function removeFromIndex<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keysByValue.get(value);
    if (keys === undefined) continue;
    keys.delete(key);
    if (keys.size === 0) index.keysByValue.delete(value);
  }
}
