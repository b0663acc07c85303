import { type GoField, goStruct, resolvedType } from "../protobuf/index.ts";

const known = new Map<string, ReadonlyMap<string, GoField>>();

/** The fields of a struct by their names in JSON, in the order of the declaration, with those of what is inlined in its place. */
export function goFields(type: string): ReadonlyMap<string, GoField> {
  const found = known.get(type);
  if (found !== undefined) return found;
  const fields = new Map<string, GoField>();
  for (const field of goStruct(type)?.values() ?? []) {
    const inlined = field.isInline ? goFields(valueType(field.type)) : [[field.name, field] as const];
    for (const [name, each] of inlined) fields.set(name, each);
  }
  known.set(type, fields);
  return fields;
}

/** What is behind a pointer and a name of the original's own. */
export function valueType(type: string): string {
  return resolvedType(type.startsWith("*") ? type.slice(1) : type);
}

/** What the items of a list or the values of a map are; undefined for what is neither. */
export function itemType(type: string): string | undefined {
  if (type === "[]byte") return undefined;
  if (type.startsWith("[]")) return type.slice(2);
  return type.startsWith("map[") ? type.slice(type.indexOf("]") + 1) : undefined;
}

/** As Go names a type in its messages: `v1.PodSpec`, `[]v1.Container`, `map[string]string`. */
export function goTypeText(type: string): string {
  const bare = type.startsWith("*") ? type.slice(1) : type;
  return bare.replaceAll(/[a-z]+\/(?=v\d)/gu, "").replaceAll("[]byte", "[]uint8");
}

/** `core/v1.PodSpec` → `PodSpec`. */
export function structName(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}
