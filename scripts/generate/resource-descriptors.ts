import type { ApiDocument, DiscoveredResource } from "./openapi-document.ts";
import { ownKind, typeName } from "./typescript-types.ts";

interface Listed {
  file: string;
  document: ApiDocument;
  resource: DiscoveredResource;
  /** The name of the constant, before clashes are resolved. */
  name: string;
}

/** `resources.ts`: one constant for each resource that can be listed. */
export function resourcesFile(documents: ReadonlyMap<string, ApiDocument>): string {
  const listed = [...documents].flatMap(([file, document]) => listedResources(file, document));
  const imports = new Map<string, string[]>();
  const constants = listed.map((entry) => {
    const type = typeOf(entry);
    const clashing = listed.some((other) => other !== entry && typeOf(other) === type);
    const local = clashing && entry.file !== "core-v1" ? distinctType(entry.file, type) : type;
    const names = imports.get(entry.file) ?? [];
    imports.set(entry.file, [...names, local === type ? type : `${type} as ${local}`]);
    return descriptor(entry, constantName(entry, listed), local);
  });
  const importLines = [...imports].map(([file, names]) => importLine(names.toSorted(), `./${file}.ts`));
  return `import type { ResourceType } from "../resource-type.ts";\n${importLines.join("")}\n${constants.join("\n")}`;
}

function listedResources(file: string, document: ApiDocument): Listed[] {
  return document.resources
    .filter((resource) => !resource.name.includes("/") && resource.verbs.includes("list"))
    .map((resource) => ({ file, document, resource, name: pluralOf(resource.kind, resource.name) }));
}

function typeOf({ document, resource, file }: Listed): string {
  const schema = Object.entries(document.schemas).find(([, candidate]) => ownKind(candidate)?.kind === resource.kind);
  if (schema === undefined) throw new Error(`No schema in ${file} describes ${resource.kind}`);
  return typeName(schema[0]);
}

function descriptor({ document, resource }: Listed, name: string, type: string): string {
  const [version, group = ""] = document.groupVersion.split("/").toReversed();
  const fields = [
    `group: ${JSON.stringify(group)}`,
    `version: ${JSON.stringify(version)}`,
    `plural: ${JSON.stringify(resource.name)}`,
    `kind: ${JSON.stringify(resource.kind)}`,
    `namespaced: ${resource.namespaced}`,
  ];
  return `export const ${name}: ResourceType<${type}> = {\n${fields.map((field) => `  ${field},\n`).join("")}};\n`;
}

/** Core keeps the plain name; whoever shares it takes its file's name as a prefix. */
function constantName(entry: Listed, all: readonly Listed[]): string {
  const clashing = all.some((other) => other !== entry && other.name === entry.name);
  if (!clashing || entry.file === "core-v1") return entry.name;
  const prefixed = distinctType(entry.file, capitalised(entry.name));
  return prefixed.charAt(0).toLowerCase() + prefixed.slice(1);
}

/** `Event` of `events-v1` is `EventsV1Event` where core's is also in sight. */
export function distinctType(file: string, type: string): string {
  return file.split("-").map(capitalised).join("") + type;
}

/** The plural as discovery has it, with the kind's capitals: `NetworkPolicy`, `networkpolicies` give `networkPolicies`. */
function pluralOf(kind: string, plural: string): string {
  let same = 0;
  while (same < kind.length && kind[same]?.toLowerCase() === plural[same]) same++;
  const cased = kind.slice(0, same) + plural.slice(same);
  return cased.replace(/^([A-Z]+)(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

export function importLine(names: readonly string[], from: string, keyword: "import" | "export" = "import"): string {
  const single = `${keyword} type { ${names.join(", ")} } from "${from}";\n`;
  if (single.length <= 120) return single;
  return `${keyword} type {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
