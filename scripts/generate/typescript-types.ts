import { docComment } from "./doc-comment.ts";
import {
  type ApiDocument,
  type GroupVersionKind,
  owningFile,
  referenceOf,
  type Schema,
  shortName,
} from "./openapi-document.ts";

const apimachinery = "io.k8s.apimachinery.pkg";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/** Names that would be taken for something else: a class of ours, a global, a word that says nothing. */
const renamed: Readonly<Record<string, string>> = {
  [`${apimachinery}.api.resource.Quantity`]: "QuantityString",
  [`${apimachinery}.version.Info`]: "VersionInfo",
  [`${apiextensions}.JSON`]: "JSONValue",
};

/** What OpenAPI cannot say, or says in a way that no program wants. */
const written: Readonly<Record<string, string>> = {
  [`${apimachinery}.api.resource.Quantity`]: "string",
  [`${apimachinery}.util.intstr.IntOrString`]: "number | string",
  [`${apimachinery}.runtime.RawExtension`]: "unknown",
  [`${apimachinery}.apis.meta.v1.FieldsV1`]: "Record<string, unknown>",
  [`${apiextensions}.JSONSchemaPropsOrArray`]: "JSONSchemaProps | JSONSchemaProps[]",
  [`${apiextensions}.JSONSchemaPropsOrBool`]: "JSONSchemaProps | boolean",
  [`${apiextensions}.JSONSchemaPropsOrStringArray`]: "JSONSchemaProps | string[]",
};

/** The name a schema has in TypeScript, inside the file of its group-version. */
export function typeName(schemaName: string): string {
  return renamed[schemaName] ?? shortName(schemaName);
}

/** The file of a group-version: imports, then its types in alphabetical order. */
export function typesFile(document: ApiDocument, file: string): string {
  const imports = new Map<string, Set<string>>();
  const types = Object.entries(document.schemas).map(([name, schema]) => {
    for (const reference of referencesIn(schema)) {
      const owner = owningFile(reference);
      if (owner !== file) imports.set(owner, (imports.get(owner) ?? new Set()).add(typeName(reference)));
    }
    return declaration(name, schema);
  });
  const importLines = [...imports]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => `import type { ${[...names].toSorted().join(", ")} } from "./${from}.ts";\n`);
  return [importLines.join(""), ...types].filter((part) => part !== "").join("\n");
}

function declaration(name: string, schema: Schema): string {
  const comment = docComment(schema.description, "");
  if (schema.properties !== undefined) return `${comment}export interface ${typeName(name)} ${body(schema, "")}\n`;
  return `${comment}export type ${typeName(name)} = ${written[name] ?? expression(schema, "")};\n`;
}

function body(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const own = ownKind(schema);
  const fields = identityFirst(Object.entries(schema.properties ?? {})).map(([key, field]) => {
    const literal = own === undefined ? undefined : literalField(key, own);
    const required = literal !== undefined || schema.required?.includes(key) || isOwnMetadata(key, own, field);
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const comment = literal === undefined ? docComment(field.description, inner) : "";
    return `${comment}${inner}${name}${required ? "" : "?"}: ${literal ?? expression(field, inner)};\n`;
  });
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

/** As people write objects: what it is and what it is called, then the rest in alphabetical order. */
function identityFirst<T>(fields: [string, T][]): [string, T][] {
  const first = ["apiVersion", "kind", "metadata"].flatMap((name) => fields.filter(([key]) => key === name));
  return [...first, ...fields.filter((field) => !first.includes(field))];
}

/** The kind that a schema is the whole object of. `DeleteOptions`, which every group has as its own, is nobody's. */
export function ownKind(schema: Schema): GroupVersionKind | undefined {
  const [kind] = schema["x-kubernetes-group-version-kind"] ?? [];
  return kind?.kind === "DeleteOptions" || schema.properties?.["apiVersion"] === undefined ? undefined : kind;
}

function literalField(key: string, { group, version, kind }: GroupVersionKind): string | undefined {
  if (key === "kind") return JSON.stringify(kind);
  if (key === "apiVersion") return JSON.stringify(group === "" ? version : `${group}/${version}`);
  return undefined;
}

/** The wire always has the metadata of objects and lists; only `Status`, made by hand in many places, may go without. */
function isOwnMetadata(key: string, own: GroupVersionKind | undefined, field: Schema): boolean {
  if (key !== "metadata" || own === undefined || own.kind === "Status") return false;
  const reference = referenceOf(field);
  return reference !== undefined && /\.(ObjectMeta|ListMeta)$/.test(reference);
}

function expression(schema: Schema, indent: string): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return /\.(Micro)?Time$/.test(reference) ? "string" : typeName(reference);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return arrayOf(expression(schema.items ?? {}, indent));
  if (schema.type !== "object") return schema.type === "integer" ? "number" : (schema.type ?? "unknown");
  if (schema.properties !== undefined) return body(schema, indent);
  return `Record<string, ${expression(schema.additionalProperties ?? {}, indent)}>`;
}

function arrayOf(item: string): string {
  return item.includes("|") ? `(${item})[]` : `${item}[]`;
}

/** Every reference a schema makes that its TypeScript names: times are plain strings there. */
function referencesIn(schema: Schema): string[] {
  const reference = referenceOf(schema);
  if (reference !== undefined) return /\.(Micro)?Time$/.test(reference) ? [] : [reference];
  const parts = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return parts.flatMap((part) => (part === undefined ? [] : referencesIn(part)));
}
