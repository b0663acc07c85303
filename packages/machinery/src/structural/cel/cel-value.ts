import type { CelType } from "./cel-type.ts";

export type CelValue =
  | null
  | boolean
  /** An int. */
  | bigint
  /** A double. */
  | number
  | string
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelOpaque;

export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, in nanoseconds since 1970, and the zone that it was told in. */
export class CelTimestamp {
  readonly nanos: bigint;
  readonly zoneMinutes: number;

  constructor(nanos: bigint, zoneMinutes = 0) {
    this.nanos = nanos;
    this.zoneMinutes = zoneMinutes;
  }
}

export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class CelTypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class CelOptional {
  static readonly none = new CelOptional(undefined);
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A value of the Kubernetes library: a URL, an address, a quantity. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  abstract equals(other: CelValue): boolean;
}

export abstract class CelList implements Iterable<CelValue> {
  abstract readonly size: number;
  /** Only of an index that is in the list. */
  abstract get(index: number): CelValue;

  /** What joining another list to this one gives. */
  join(other: CelList): CelList {
    return new PlainList([...this, ...other]);
  }

  *[Symbol.iterator](): Iterator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.get(index);
  }
}

export class PlainList extends CelList {
  readonly #items: readonly CelValue[];

  constructor(items: readonly CelValue[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  get(index: number): CelValue {
    return this.#items[index] ?? null;
  }
}

export abstract class CelMap {
  abstract readonly size: number;
  /** Undefined where there is no such key. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): readonly CelValue[];
}

export class PlainMap extends CelMap {
  readonly #entries: ReadonlyMap<string, readonly [CelValue, CelValue]>;

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    this.#entries = new Map([...entries].map(([key, value]) => [keyText(key), [key, value]]));
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: CelValue): CelValue | undefined {
    return this.#entries.get(keyText(key))?.[1];
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }
}

/** Keys are equal when their numbers are, of whichever type. */
function keyText(key: CelValue): string {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint" || typeof key === "number") return `n${key}`;
  if (key instanceof CelUint) return `n${key.value}`;
  return typeof key === "boolean" ? `b${key}` : kindOf(key);
}

/** The type of a value, as far as it can be seen without looking into it. */
export function kindOf(value: CelValue): CelType["kind"] {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "double";
  return typeof value === "string" ? "string" : kindOfObject(value);
}

function kindOfObject(value: object): CelType["kind"] {
  if (value instanceof CelMap) return "map";
  if (value instanceof CelList) return "list";
  if (value instanceof CelOptional) return "optional";
  if (value instanceof CelTimestamp) return "timestamp";
  if (value instanceof CelDuration) return "duration";
  if (value instanceof CelUint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  return value instanceof CelTypeValue ? "type" : "opaque";
}

/** Whether a value can stand where a type is asked for. What is inside lists and maps shows when it is used. */
export function isOfType(value: CelValue, type: CelType): boolean {
  if (type.kind === "dyn" || type.kind === "parameter" || type.kind === "error") return true;
  const kind = kindOf(value);
  if (type.kind === "object") return kind === "map";
  if (type.kind === "opaque") return value instanceof CelOpaque && value.typeName === type.name;
  return kind === type.kind;
}
