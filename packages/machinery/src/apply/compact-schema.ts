import { once } from "./open-api-schema.ts";
import {
  deduced,
  type SchemaReference,
  type StructField,
  type TypedSchema,
  untypedAtomic,
  withRelation,
} from "./typed-schema.ts";

/**
 * Reads the text in which the generated table keeps a type. A type is either an expression,
 *
 * - `s` `n` `b` `u`: text, number, boolean, any scalar
 * - `*` one value whatever it is, `~` anything owned field by field, `?` anything that a schema without a type allows
 * - `@name`: another type; `@!name` and `@=name`: the same as one value, or field by field
 * - `[x` atomic list, `#x` set, `(key,key)x` list with keys, `{x` map, `!{x` atomic map
 *
 * or a struct: `.`, or `!` for one that is one value, then its fields, each after a space: `name:x`. After its name, `+` says that
 * an object has it even when nothing was set, `-` that it is null then; after its type, `=` gives the default of a key as JSON.
 */
export function parseCompactSchema(text: string, resolve: (name: string) => TypedSchema): TypedSchema {
  const [head, ...fields] = text.split(" ");
  if (head !== "." && head !== "!") return expression(text, resolve);
  const parsed = fields.map((field) => structField(field, resolve));
  return { map: { isAtomic: head === "!", fields: new Map(parsed), values: undefined, isDeduced: false } };
}

const fieldPattern = /^([^:]+?)([+-]?):(@=[^=]+|[^=]+)(?:=(.*))?$/;

function structField(text: string, resolve: (name: string) => TypedSchema): [string, StructField] {
  const [, name = "", mark, type = "", literal] = fieldPattern.exec(text) ?? [];
  return [
    name,
    {
      type: once(() => expression(type, resolve)),
      ...(literal !== undefined && { default: JSON.parse(literal) as unknown }),
      ...(mark !== "" && { zero: mark === "+" ? "value" : "null" }),
    },
  ];
}

const scalars = { s: "string", n: "numeric", b: "boolean", u: "untyped" } as const;
const untyped: TypedSchema = { scalar: "untyped", list: untypedAtomic.list, map: deduced.map };
const whole: Readonly<Record<string, TypedSchema>> = { "*": untypedAtomic, "~": deduced, "?": untyped };

function expression(text: string, resolve: (name: string) => TypedSchema): TypedSchema {
  const scalar = scalars[text as keyof typeof scalars];
  if (scalar !== undefined) return { scalar };
  const inner = (length: number): SchemaReference => once(() => expression(text.slice(length), resolve));
  switch (text[0]) {
    case "@":
      return referred(text.slice(1), resolve);
    case "[":
      return { list: { isAtomic: true, keys: [], item: inner(1) } };
    case "#":
      return { list: { isAtomic: false, keys: [], item: inner(1) } };
    case "(": {
      const end = text.indexOf(")");
      return { list: { isAtomic: false, keys: text.slice(1, end).split(","), item: inner(end + 1) } };
    }
    case "{":
      return mapOf(text.slice(1), inner(1), false);
    case "!":
      return mapOf(text.slice(2), inner(2), true);
    case undefined:
    default:
      return whole[text] ?? unreadable(text);
  }
}

function referred(name: string, resolve: (name: string) => TypedSchema): TypedSchema {
  const relation = name[0];
  if (relation !== "!" && relation !== "=") return resolve(name);
  return withRelation(resolve(name.slice(1)), relation === "!");
}

function mapOf(values: string, reference: SchemaReference, isAtomic: boolean): TypedSchema {
  return { map: { isAtomic, fields: new Map(), values: reference, isDeduced: /^[~u?]/.test(values) } };
}

function unreadable(text: string): never {
  throw new TypeError(`The table of types has something that nobody can read: ${text}`);
}
