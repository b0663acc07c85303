interface Stored {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
}

/** Objects by id and by name, in the order of their making. */
export class Collection<T extends Stored> {
  readonly #byId = new Map<string, T>();
  readonly #onChange: () => void;

  constructor(onChange: () => void, objects: readonly T[] = []) {
    this.#onChange = onChange;
    for (const object of objects) this.#byId.set(object.id, object);
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  named(name: string): T | undefined {
    return this.#byId.values().find((object) => object.name === name);
  }

  /** Oldest first. */
  list(): T[] {
    return [...this.#byId.values()].sort((a, b) => a.sequence - b.sequence);
  }

  put(object: T): T {
    this.#byId.set(object.id, object);
    this.#onChange();
    return object;
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#onChange();
  }
}
