/** The type of an expression. */
export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "optional"; readonly element: CelType }
  | { readonly kind: "type"; readonly of: CelType }
  | { readonly kind: "opaque"; readonly name: string }
  | { readonly kind: "object"; readonly name: string; readonly fields: ReadonlyMap<string, CelType> }
  | { readonly kind: "parameter"; readonly name: string };

export type SimpleKind =
  | "int"
  | "uint"
  | "double"
  | "bool"
  | "string"
  | "bytes"
  | "null"
  | "timestamp"
  | "duration"
  | "dyn"
  | "error";

const simpleKinds: ReadonlySet<string> = new Set<SimpleKind>([
  "int",
  "uint",
  "double",
  "bool",
  "string",
  "bytes",
  "null",
  "timestamp",
  "duration",
  "dyn",
  "error",
]);

export function simple(kind: SimpleKind): CelType {
  return { kind };
}

export const intType = simple("int");
export const boolType = simple("bool");
export const stringType = simple("string");
export const dynType = simple("dyn");
export const errorType = simple("error");
export const nullType = simple("null");

export function listOf(element: CelType): CelType {
  return { kind: "list", element };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function optionalOf(element: CelType): CelType {
  return { kind: "optional", element };
}

/** As messages name it. */
export function typeName(type: CelType): string {
  if (type.kind === "list") return `list(${typeName(type.element)})`;
  if (type.kind === "map") return `map(${typeName(type.key)}, ${typeName(type.value)})`;
  if (type.kind === "optional") return `optional_type(${typeName(type.element)})`;
  if (type.kind === "type") return `type(${typeName(type.of)})`;
  if ("name" in type) return type.name;
  return type.kind === "error" ? "!error!" : type.kind;
}

/** Reads the short form in which the library writes types: `list<string>`, `map<K, V>`, `optional<T>`, `kubernetes.URL`. */
export function parseType(text: string): CelType {
  const generic = /^(list|map|optional|type)<(.+)>$/.exec(text);
  if (generic !== null) return parseGeneric(generic[1] ?? "", generic[2] ?? "");
  if (simpleKinds.has(text)) return simple(text as SimpleKind);
  return /^[A-Z]$/.test(text) ? { kind: "parameter", name: text } : { kind: "opaque", name: text };
}

function parseGeneric(name: string, inner: string): CelType {
  if (name === "map") {
    const [key = "", value = ""] = splitTypes(inner);
    return mapOf(parseType(key), parseType(value));
  }
  const element = parseType(inner);
  if (name === "list") return listOf(element);
  return name === "optional" ? optionalOf(element) : { kind: "type", of: element };
}

/** Splits at commas that are not within angles. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [position, character] of Array.from(text).entries()) {
    if (character === "<") depth++;
    if (character === ">") depth--;
    if (character !== "," || depth > 0) continue;
    parts.push(text.slice(from, position).trim());
    from = position + 1;
  }
  const last = text.slice(from).trim();
  return last === "" ? parts : [...parts, last];
}
