import { equalJson, isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { nodeOfField, type SchemaNode } from "./schema-node.ts";

/** A value of an object that is updated, beside the one it comes from. What did not change is forgiven more. */
export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly #node: SchemaNode;
  readonly #fields = new Map<string, Correlation | undefined>();
  #oldItems: MapListItems | undefined;
  #isUnchanged: boolean | undefined;

  constructor(value: JsonValue, old: JsonValue | undefined, node: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#node = node;
  }

  /** Undefined where one of both does not have the field, or the schema does not. */
  field(name: string): Correlation | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined || this.#fields.has(name)) return known;
    const found = this.#findField(name);
    this.#fields.set(name, found);
    return found;
  }

  #findField(name: string): Correlation | undefined {
    const { value, old } = this;
    if (!isJsonObject(value) || old === undefined || !isJsonObject(old)) return undefined;
    const node = nodeOfField(this.#node, name);
    if (node === undefined || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    return new Correlation(value[name] ?? null, old[name], node);
  }

  /** Only items of maps have an old one: it is the one with the same keys. */
  item(index: number): Correlation | undefined {
    const { value, old } = this;
    const { items, listType } = this.#node;
    if (!Array.isArray(value) || !Array.isArray(old) || listType !== "map" || items === undefined) return undefined;
    this.#oldItems ??= new MapListItems(old, this.#node.listMapKeys);
    const oldItem = this.#oldItems.like(value[index] ?? null);
    return oldItem === undefined ? undefined : new Correlation(value[index] ?? null, oldItem, items);
  }

  /** Fields that the schema does not know count as changed: nobody can tell. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compare();
    return this.#isUnchanged;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === undefined || old === null) return value === (old ?? null);
    if (Array.isArray(value) && Array.isArray(old)) return this.#compareLists(value, old);
    if (isJsonObject(value) && isJsonObject(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length && names.every((name) => this.field(name)?.isUnchanged === true);
    }
    return equalJson(value, old);
  }

  #compareLists(value: readonly JsonValue[], old: readonly JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== "map" || this.#node.items === undefined) return equalJson([...value], [...old]);
    return value.every((_, index) => this.item(index)?.isUnchanged === true);
  }
}

/** The items of a list of the type `map`, found by their keys. */
export class MapListItems {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  constructor(items: readonly JsonValue[], keys: readonly string[]) {
    this.#keys = keys;
    for (const item of items) {
      const key = this.#keyOf(item);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  like(item: JsonValue): JsonObject | undefined {
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: JsonValue): string | undefined {
    if (!isJsonObject(item) || this.#keys.length === 0) return undefined;
    const values = this.#keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
    if (values.some((value) => value === undefined || value === null || typeof value === "object")) return undefined;
    return JSON.stringify(values);
  }
}
