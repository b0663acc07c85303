import { goTypes } from "./generated/go-types.ts";

/** One field of a struct, as its tags have it. */
export interface GoField {
  /** In JSON; empty for what is inlined. */
  readonly name: string;
  readonly type: string;
  /** Whether JSON leaves it out when it has the value that its type begins with. */
  readonly omitsEmpty: boolean;
  readonly isInline: boolean;
}

const structs = new Map<string, ReadonlyMap<number, GoField>>();

/** The fields of a struct by their numbers on the wire; undefined when there is no such. */
export function goStruct(name: string): ReadonlyMap<number, GoField> | undefined {
  const known = structs.get(name);
  if (known !== undefined) return known;
  const text = Object.hasOwn(goTypes, name) ? goTypes[name] : undefined;
  if (text === undefined || text.startsWith("= ")) return undefined;
  const fields = new Map(text.split(";").map(parsedField));
  structs.set(name, fields);
  return fields;
}

/** What stands behind a name; types that are no other's name stand for themselves. */
export function resolvedType(type: string): string {
  const text = Object.hasOwn(goTypes, type) ? goTypes[type] : undefined;
  if (text?.startsWith("= ") === true) return resolvedType(text.slice(2));
  return type === "types.UID" || type === "types.NodeName" ? "string" : type;
}

function parsedField(text: string): [number, GoField] {
  const [name = "", number = "", type = "", flags = ""] = text.split(" ");
  return [Number(number), { name, type, omitsEmpty: flags.includes("o"), isInline: flags.includes("i") }];
}
