/** An object as it is kept: its text is sent as it is, so that lists and watches need no encoding. */
export interface StoredObject {
  readonly key: string;
  /** Of its last change. */
  readonly revision: number;
  readonly text: string;
}

export interface ListedPage {
  readonly objects: readonly StoredObject[];
  /** How many more there are; undefined when this is the last page. */
  readonly remaining: number | undefined;
}

export interface PageLimits {
  /** Only keys after this one. */
  readonly after?: string;
  readonly limit?: number;
}

/** Objects by key, and in the order of their keys, which is the order of lists. */
export class ObjectTable {
  readonly #objects = new Map<string, StoredObject>();
  /** Sorted. Kept up by insertion: a list must not sort ten thousand names that one write has disturbed. */
  #keys: string[] = [];

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  set(object: StoredObject): void {
    if (!this.#objects.has(object.key)) this.#keys.splice(this.#place(object.key), 0, object.key);
    this.#objects.set(object.key, object);
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#place(key), 1);
  }

  /** Of all objects whose key begins with the prefix. */
  page(prefix: string, { after, limit = Number.POSITIVE_INFINITY }: PageLimits = {}): ListedPage {
    const objects: StoredObject[] = [];
    const begin = after === undefined ? this.#place(prefix) : this.#placeAfter(after);
    let index = begin;
    for (; index < this.#keys.length && objects.length < limit; index++) {
      const key = this.#keys[index] ?? "";
      if (!key.startsWith(prefix)) break;
      objects.push(this.#objects.get(key) as StoredObject);
    }
    const remaining = this.#placeAfterAll(prefix) - index;
    return { objects, remaining: remaining > 0 ? remaining : undefined };
  }

  *values(): Generator<StoredObject> {
    for (const key of this.#keys) yield this.#objects.get(key) as StoredObject;
  }

  /** Where the key is, or would be. */
  #place(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeAfter(key: string): number {
    const place = this.#place(key);
    return this.#keys[place] === key ? place + 1 : place;
  }

  #placeAfterAll(prefix: string): number {
    // No key has a character after this one, so everything with the prefix is before it.
    return this.#place(`${prefix}\u{10ffff}`);
  }
}
