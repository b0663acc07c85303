import { InvalidQuantityError } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import type { GoField } from "../protobuf/index.ts";
import { goFields, goTypeText, itemType, structName, valueType } from "./go-fields.ts";
import { type Scalar, scalars } from "./go-scalars.ts";
import { isFields } from "./json-fields.ts";

/** Where a value is: for messages about unknown fields, and for those about types, which do not tell places in lists and maps. */
interface Place {
  /** `spec.containers[0].name` */
  readonly path: string;
  /** `spec.containers.name` */
  readonly fields: string;
  /** Which the field is of. */
  readonly struct: string;
  /** Whether its type reads it by itself. */
  readonly isOwn?: boolean;
}

export interface DecoderOptions {
  /** Numbers that were not written as whole ones are, by their paths. */
  readonly oddNumbers?: ReadonlyMap<string, string>;
  /** What was merged is not read as JSON, but turned from maps into structs, and whoever does that has other words. */
  readonly isMerged?: boolean;
}

const top: Place = { path: "", fields: "", struct: "" };

/**
 * Reads objects as the structs of the original read them, and gives them as those write themselves: unknown fields and nulls are
 * gone, so is what is empty and no pointer, and what is never left out is there.
 */
export class GoDecoder {
  readonly unknownFields: string[] = [];
  /** The first value that is of another type: Go goes on after it. */
  #mismatched: string | undefined;
  /** The first value that its own type cannot read: there Go ends. */
  #broken: string | undefined;
  readonly #options: DecoderOptions;

  constructor(options: DecoderOptions = {}) {
    this.#options = options;
  }

  /** What cannot be read, in the words of Go. */
  get problem(): string | undefined {
    return this.#broken ?? this.#mismatched;
  }

  struct(type: string, object: JsonObject, place = top): JsonObject {
    const fields = goFields(type);
    const read = new Map<string, JsonValue>();
    for (const [name, value] of Object.entries(object)) {
      const field = fields.get(name);
      const path = joined(place.path, name);
      if (field === undefined) this.unknownFields.push(path);
      else if (value !== null) {
        const within = { path, fields: joined(place.fields, name), struct: structName(type) };
        read.set(name, this.#value(field.type, value, within));
      }
    }
    const written = [...fields].map(([name, field]) => [name, this.#written(field, read.get(name))] as const);
    return Object.fromEntries(written.filter(([, value]) => value !== undefined)) as JsonObject;
  }

  /** Undefined when it is left out. */
  #written(field: GoField, value: JsonValue | undefined): JsonValue | undefined {
    if (field.type.startsWith("*")) return value ?? (field.omitsEmpty ? undefined : null);
    const type = valueType(field.type);
    if (itemType(type) !== undefined) {
      if (value !== undefined && Object.keys(value as object).length > 0) return value;
      return field.omitsEmpty ? undefined : (value ?? null);
    }
    const zero = this.#zero(type);
    if (scalars[type] === undefined) return value ?? zero;
    if (value !== undefined && value !== zero) return value;
    // For Go's JSON, a struct is never empty; of all times, only this one says when it is none.
    const isLeftOut = field.omitsEmpty && (field.name === "creationTimestamp" || !type.includes("."));
    return isLeftOut ? undefined : zero;
  }

  #zero(type: string): JsonValue {
    const scalar = scalars[type];
    if (scalar !== undefined) return scalar.zero;
    return itemType(type) === undefined ? this.struct(type, {}) : null;
  }

  #value(type: string, value: JsonValue, place: Place): JsonValue {
    const bare = valueType(type);
    const scalar = scalars[bare];
    if (scalar !== undefined) return this.#scalar(type, value, place);
    if (bare.startsWith(schemaOr)) return this.#schemaOr(bare, value, place);
    const item = itemType(bare);
    if (bare.startsWith("[]") ? !Array.isArray(value) : !isFields(value)) return this.#mismatch(type, value, place);
    if (item === undefined) return this.struct(bare, value as JsonObject, place);
    if (Array.isArray(value)) {
      return value.map((each, index) => this.#item(item, each, { ...place, path: `${place.path}[${index}]` }));
    }
    const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      entries.map(([name, each]) => [name, this.#item(item, each, { ...place, path: `${place.path}.${name}` })]),
    );
  }

  #item(type: string, value: JsonValue, place: Place): JsonValue {
    if (value !== null) return this.#value(type, value, place);
    return type.startsWith("*") ? null : this.#zero(valueType(type));
  }

  #scalar(type: string, value: JsonValue, place: Place): JsonValue {
    const isOdd = this.#options.oddNumbers?.has(place.path) === true && /^u?int/u.test(valueType(type));
    const read = isOdd ? { goType: valueType(type).startsWith("intstr.") ? "int32" : type } : this.#read(type, value);
    if ("value" in read) return read.value;
    if ("goType" in read) return this.#mismatch(read.goType, value, { ...place, isOwn: read.goType !== type });
    const isBytes = this.#options.isMerged === true && valueType(type) === "[]byte";
    this.#fail(isBytes ? `error decoding from json: ${read.problem}` : read.problem, valueType(type) !== "[]byte");
    return value;
  }

  #read(type: string, value: JsonValue): Scalar {
    try {
      return scalars[valueType(type)]?.read(value, type) ?? { value };
    } catch (error) {
      if (error instanceof InvalidQuantityError) return { problem: error.reason };
      throw error;
    }
  }

  /** A schema, or something else in its place. */
  #schemaOr(type: string, value: JsonValue, place: Place): JsonValue {
    const schema = "apiextensions/v1.JSONSchemaProps";
    if (isFields(value)) return this.struct(schema, value, place);
    if (type === `${schemaOr}Bool`) return value;
    return this.#value(type === `${schemaOr}Array` ? `[]${schema}` : "[]string", value, place);
  }

  #mismatch(type: string, value: JsonValue, { fields, struct, path, isOwn = false }: Place): JsonValue {
    const { isMerged = false, oddNumbers } = this.#options;
    const field = isMerged ? "value" : `struct field ${struct}.${fields}`;
    const shown = given(value, type, oddNumbers?.get(path));
    const said = `json: cannot unmarshal ${shown} into Go ${field} of type ${goTypeText(type)}`;
    this.#fail(isMerged && !isOwn ? conversionProblem(type, value) : said, isOwn);
    return value;
  }

  /** What is merged ends with the first problem, whatever it is. */
  #fail(problem: string, isBroken: boolean): void {
    if (isBroken || this.#options.isMerged === true) this.#broken ??= problem;
    else this.#mismatched ??= problem;
  }
}

const schemaOr = "apiextensions/v1.JSONSchemaPropsOr";

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function given(value: JsonValue, type: string, written: string | undefined): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" && /^u?int|^float/u.test(valueType(type))
    ? `number ${written ?? value}`
    : typeof value;
}

/** What is said of a value that cannot become one of the type. */
function conversionProblem(type: string, value: JsonValue): string {
  const bare = valueType(type);
  const from = kindOf(value);
  if (bare.startsWith("map[")) return `cannot restore map from ${from}`;
  if (bare.startsWith("[]")) return `cannot restore slice from ${from}`;
  if (scalars[bare] === undefined) return `cannot restore struct from: ${from}`;
  const isNumber = /^u?int|^float/u.test(bare);
  const isConvertible = from === "int64" ? bare === "string" : from === "float64" && isNumber;
  return isConvertible ? `cannot convert ${from} to ${goTypeText(type)}` : `unrecognized type: ${bare}`;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return "slice";
  if (isFields(value)) return "map";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
