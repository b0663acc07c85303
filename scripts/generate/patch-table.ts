import { type ApiDocument, referenceOf, type Schema } from "./openapi-document.ts";
import { ownKind } from "./typescript-types.ts";

interface Field {
  type?: string;
  strategy?: string;
  mergeKey?: string;
}

/**
 * `patch-schema.ts`: what strategic merge patch must know of each type, and nothing more. A field is listed when it has a
 * strategy of its own or leads to a type that is listed; a list that is replaced whole leads nowhere.
 */
export function patchSchemaFile(documents: ReadonlyMap<string, ApiDocument>): string {
  const schemas = new Map([...documents.values()].flatMap((document) => Object.entries(document.schemas)));
  const kinds = [...schemas].flatMap(([name, schema]) => kindsOf(name, schema));
  const reachable = [...reachableFrom(kinds, schemas)].toSorted();
  const telling = tellingTypes(reachable, schemas);
  const types = reachable
    .filter((name) => telling.has(name))
    .map((name) => {
      const fields = fieldsOf(schemas.get(name)).filter(([, field]) => isTelling(field, telling));
      return typeEntry(name, fields, telling);
    });
  const kindLines = kinds.map(
    (name) => `  ${JSON.stringify(kindKey(schemas.get(name)))}: ${JSON.stringify(alias(name))},\n`,
  );
  return `${declarations}export const patchTypes: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = {
${types.join("")}};

/** The type of each kind, by \`apiVersion/kind\`. */
export const patchKinds: Readonly<Record<string, string>> = {
${kindLines.toSorted().join("")}};
`;
}

const declarations = `/** How strategic merge patch treats one field. */
export interface PatchField {
  /** The type of the field, or of the items of a list that is merged, where that says more. */
  readonly type?: string;
  readonly strategy?: "merge" | "replace" | "retainKeys" | "merge,retainKeys";
  /** The field that tells the items of a merged list apart; a list of plain values has none. */
  readonly mergeKey?: string;
}

`;

/** Only what can be sent as an object of its own: lists, and options of requests, are never patched. */
function kindsOf(name: string, schema: Schema): string[] {
  const metadata = schema.properties?.["metadata"];
  const isObject = metadata !== undefined && referenceOf(metadata)?.endsWith(".ObjectMeta");
  return ownKind(schema) !== undefined && isObject ? [name] : [];
}

function kindKey(schema: Schema | undefined): string {
  const kind = schema && ownKind(schema);
  return [kind?.group, kind?.version, kind?.kind].filter((part) => part !== "").join("/");
}

function reachableFrom(names: readonly string[], schemas: ReadonlyMap<string, Schema>): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const [, field] of fieldsOf(schemas.get(name))) if (field.type !== undefined) visit(field.type);
  };
  names.forEach(visit);
  return seen;
}

/** Types are telling when a field has a strategy, or is of a telling type: found by repeating until nothing is added. */
function tellingTypes(names: readonly string[], schemas: ReadonlyMap<string, Schema>): Set<string> {
  const telling = new Set<string>();
  let before: number;
  do {
    before = telling.size;
    for (const name of names) {
      if (fieldsOf(schemas.get(name)).some(([, field]) => isTelling(field, telling))) telling.add(name);
    }
  } while (telling.size > before);
  return telling;
}

function isTelling(field: Field, telling: ReadonlySet<string>): boolean {
  return field.strategy !== undefined || (field.type !== undefined && telling.has(field.type));
}

function fieldsOf(schema: Schema | undefined): [string, Field][] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const strategy = property["x-kubernetes-patch-strategy"];
    const merged = property.items !== undefined && strategy?.includes("merge") ? property.items : undefined;
    const type = referenceOf(property) ?? (merged && referenceOf(merged));
    return [name, { type, strategy, mergeKey: property["x-kubernetes-patch-merge-key"] }];
  });
}

function typeEntry(name: string, fields: [string, Field][], telling: ReadonlySet<string>): string {
  const lines = fields.map(([key, { type, strategy, mergeKey }]) => {
    const parts = Object.entries({ type: type && telling.has(type) ? alias(type) : undefined, strategy, mergeKey })
      .filter(([, value]) => value !== undefined)
      .map(([part, value]) => `${part}: ${JSON.stringify(value)}`);
    return `    ${key}: { ${parts.join(", ")} },\n`;
  });
  return `  ${JSON.stringify(alias(name))}: {\n${lines.join("")}  },\n`;
}

/** `io.k8s.api.core.v1.Pod` is `core.v1.Pod`. */
function alias(name: string): string {
  return name.split(".").slice(-3).join(".");
}
