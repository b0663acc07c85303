import { readdir, readFile } from "node:fs/promises";
import { type ApiDocument, referenceOf, type Schema } from "./openapi-document.ts";
import { ownKind } from "./typescript-types.ts";

const input = new URL("../../packages/machinery/openapi/", import.meta.url);
const output = "packages/machinery/src/apply/generated/compact-types.ts";

/**
 * The table from which server-side apply knows the built-in types: a line of text for each, read when it is first needed. The
 * grammar is described where it is read, in `packages/machinery/src/apply/compact-schema.ts`.
 */
export async function generateApplySchemas(): Promise<Map<string, string>> {
  const schemas = await readSchemas();
  const kinds = [...schemas].filter(([, schema]) => isObjectKind(schema));
  const lines = [
    ...reachableFrom(
      kinds.map(([name]) => name),
      schemas,
    ),
  ]
    .map((name) => [alias(name), typeText(name, schemas)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (new Set(lines.map(([name]) => name)).size < lines.length) throw new Error("Two types have the same short name");
  const kindLines = kinds.map(([name, schema]) => [kindKey(schema), alias(name)] as const);
  return new Map([
    [
      output,
      fileText(
        lines,
        kindLines.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ],
  ]);
}

async function readSchemas(): Promise<Map<string, Schema>> {
  const names = (await readdir(input)).filter((name) => name.endsWith(".json")).toSorted();
  const schemas = new Map<string, Schema>();
  for (const name of names) {
    const document = JSON.parse(await readFile(new URL(name, input), "utf8")) as ApiDocument;
    for (const [type, schema] of Object.entries(document.schemas)) schemas.set(type, schema);
  }
  return schemas;
}

type Line = readonly [string, string];

function fileText(types: readonly Line[], kinds: readonly Line[]): string {
  const table = (lines: readonly Line[]) =>
    lines.map(([name, text]) => `  ${JSON.stringify(name)}: ${quoted(text)},\n`).join("");
  return `// Generated from packages/machinery/openapi by \`npm run generate\`. Do not edit.

/** How the values of each type are merged; see \`compact-schema.ts\`. */
export const compactTypes: Readonly<Record<string, string>> = {
${table(types)}};

/** The type of each kind, by \`apiVersion/kind\`. */
export const kindTypes: Readonly<Record<string, string>> = {
${table(kinds)}};
`;
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Only what can be sent as an object of its own. */
function isObjectKind(schema: Schema): boolean {
  const metadata = schema.properties?.["metadata"];
  return ownKind(schema) !== undefined && metadata !== undefined && referenceOf(metadata) === objectMeta;
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

function kindKey(schema: Schema): string {
  const kind = ownKind(schema);
  return [kind?.group, kind?.version, kind?.kind].filter((part) => part !== "").join("/");
}

function reachableFrom(names: readonly string[], schemas: ReadonlyMap<string, Schema>): Set<string> {
  const seen = new Set<string>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return;
    const name = referenceOf(schema);
    if (name !== undefined) visitType(name);
    Object.values(schema.properties ?? {}).forEach(visit);
    visit(schema.items);
    visit(schema.additionalProperties);
  };
  const visitType = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    visit(schemas.get(name));
  };
  names.forEach(visitType);
  return seen;
}

/** What the schemas of these do not say. */
const written: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "u",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "*",
};

function typeText(name: string, schemas: ReadonlyMap<string, Schema>): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new Error(`A type refers to ${name}, which no document has`);
  const known = written[name];
  if (known !== undefined) return known;
  if (schema.properties === undefined) return expression(schema);
  const keys = keyFields(name, schemas);
  const fields = Object.entries(schema.properties).map(([field, property]) => {
    const isRequired = schema.required?.includes(field) ?? false;
    const literal = keys.has(field) && property.default !== undefined ? `=${JSON.stringify(property.default)}` : "";
    const mark = zeroMarks[`${alias(name)}.${field}`] ?? zeroMark(property, isRequired, schemas);
    return `${field}${mark}:${expression(property)}${literal}`;
  });
  return [schema["x-kubernetes-map-type"] === "atomic" ? "!" : ".", ...fields].join(" ");
}

/** The fields of a type that are keys of some list of it: the only ones of which the default matters. */
function keyFields(name: string, schemas: ReadonlyMap<string, Schema>): Set<string> {
  const keys = new Set<string>();
  for (const schema of schemas.values()) {
    for (const property of Object.values(schema.properties ?? {})) {
      if (property.items === undefined || referenceOf(property.items) !== name) continue;
      for (const key of property["x-kubernetes-list-map-keys"] ?? []) keys.add(key);
    }
  }
  return keys;
}

/**
 * Whether an object in which nothing was set has the field. The documents tell: a struct that is always there has the default
 * `{}`, and a scalar its zero value; what is required and has no default is a pointer, a list or a map.
 */
function zeroMark(property: Schema, isRequired: boolean, schemas: ReadonlyMap<string, Schema>): "" | "+" | "-" {
  const { default: literal } = property;
  if (literal === "" || literal === 0 || literal === false) return "+";
  const name = referenceOf(property);
  if (literal !== undefined && JSON.stringify(literal) === "{}" && name !== undefined) {
    return schemas.get(name)?.properties === undefined ? "" : "+";
  }
  return isRequired && literal === undefined ? "-" : "";
}

/** Where the documents and the original's own types differ, found by writing an empty object of each kind with the original. */
const zeroMarks: Readonly<Record<string, "" | "-">> = {
  "admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.policyName": "",
  "admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions": "",
  "apiextensions.v1.CustomResourceDefinitionStatus.conditions": "-",
  "apiextensions.v1.CustomResourceDefinitionStatus.storedVersions": "-",
  "apps.v1.ControllerRevision.data": "-",
  "authentication.v1.TokenRequestSpec.audiences": "-",
  "authentication.v1.TokenRequestSpec.boundObjectRef": "-",
  "authentication.v1.TokenRequestSpec.expirationSeconds": "-",
  "authentication.v1.TokenRequestStatus.expirationTimestamp": "-",
  "authentication.v1.TokenReviewSpec.token": "",
  "autoscaling.v1.ScaleSpec.replicas": "",
  "core.v1.Event.eventTime": "-",
  "core.v1.Event.firstTimestamp": "-",
  "core.v1.Event.lastTimestamp": "-",
  "core.v1.ReplicationControllerSpec.minReadySeconds": "",
  "discovery.v1.EndpointSlice.endpoints": "-",
  "discovery.v1.EndpointSlice.ports": "-",
  "events.v1.Event.deprecatedFirstTimestamp": "-",
  "events.v1.Event.deprecatedLastTimestamp": "-",
  "networking.v1.IPAddressSpec.parentRef": "",
  "rbac.v1.ClusterRole.rules": "-",
  "rbac.v1.Role.rules": "-",
};

function expression(schema: Schema): string {
  const name = referenceOf(schema);
  if (name !== undefined) return `@${relationMark(schema)}${alias(name)}`;
  switch (schema.type) {
    case "object":
      return `${schema["x-kubernetes-map-type"] === "atomic" ? "!" : ""}{${values(schema)}`;
    case "array":
      return listMark(schema) + (schema.items === undefined ? "*" : expression(schema.items));
    case "integer":
    case "number":
      return "n";
    case "boolean":
      return "b";
    case "string":
      return schema.format === undefined || schema.format === "byte" ? "s" : "u";
    case undefined:
      return "?";
  }
}

function values({ additionalProperties, properties }: Schema): string {
  if (properties !== undefined) throw new Error("A field has a struct without a name, which the table cannot say");
  return additionalProperties === undefined ? "~" : expression(additionalProperties);
}

function relationMark(schema: Schema): string {
  const relation = schema["x-kubernetes-map-type"];
  if (relation === undefined) return "";
  return relation === "atomic" ? "!" : "=";
}

function listMark(schema: Schema): string {
  const relation = schema["x-kubernetes-list-type"];
  if (relation === "map") return `(${schema["x-kubernetes-list-map-keys"]?.join(",")})`;
  return relation === "set" ? "#" : "[";
}

/** `io.k8s.api.core.v1.Pod` is `core.v1.Pod`. */
function alias(name: string): string {
  return name.split(".").slice(-3).join(".");
}
