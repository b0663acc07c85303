/**
 * Reads what Kubernetes' Go sources say of its types: structs with the tags of their fields, and names for other types. It knows as
 * much of Go as those files use.
 */
type Imports = ReadonlyMap<string, string>;

/** By `group/version.Name`; structs as fields, other names as `= type`. */
export function readGoTypes(source: string, packagePath: string): Map<string, string> {
  const own = shortPackage(packagePath);
  const imports = readImports(source);
  const types = new Map<string, string>();
  for (const [, name = "", body = ""] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const fields = readFields(body, own, imports);
    if (fields.length > 0) types.set(`${own}.${name}`, fields.join(";"));
  }
  for (const [, name = "", type = ""] of source.matchAll(/^type (\w+) ([\w.*[\]]+)$/gm)) {
    types.set(`${own}.${name}`, `= ${typeText(type, own, imports)}`);
  }
  return types;
}

const fieldLine = /^\s*(?:(\w+)\s+)?([\w.*[\]]+)\s+`([^`]*)`/;

/** `name number type flags`: `o` is left out when empty, `i` is inlined. */
function readFields(body: string, own: string, imports: Imports): string[] {
  return body.split("\n").flatMap((line) => {
    const match = fieldLine.exec(line);
    if (match === null || line.trimStart().startsWith("//")) return [];
    const [, goName, type = "", tags = ""] = match;
    const [name = "", ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? "").split(",");
    const isInline = options.includes("inline") || (goName === undefined && name === "");
    const number = /protobuf:"[^"]*?,(\d+),/.exec(tags)?.[1] ?? "0";
    if (name === "-") return [];
    const flags = `${options.includes("omitempty") || options.includes("omitzero") ? "o" : ""}${isInline ? "i" : ""}`;
    return [`${isInline ? "" : name} ${number} ${typeText(type, own, imports)}${flags === "" ? "" : ` ${flags}`}`];
  });
}

function readImports(source: string): Imports {
  const block = /^import \(\n(.*?)^\)/ms.exec(source)?.[1] ?? /^import (.*)$/m.exec(source)?.[1] ?? "";
  const imports = new Map<string, string>();
  for (const [, alias, path = ""] of block.matchAll(/(?:(\w+)\s+)?"([^"]+)"/g)) {
    imports.set(alias ?? path.split("/").at(-1) ?? "", shortPackage(path));
  }
  return imports;
}

/** `core/v1`, `meta/v1`, `runtime`. */
function shortPackage(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? "";
  return /^v\d/.test(last) ? `${parts.at(-2)}/${last}` : last;
}

const basic = new Set(["string", "bool", "int", "int32", "int64", "uint32", "float64", "byte", "uint8", "error"]);

/** With the package before every name that Go itself does not have. */
function typeText(type: string, own: string, imports: Imports): string {
  return type.replaceAll(/(?:(\w+)\.)?(\w+)/g, (whole, prefix: string | undefined, name: string) => {
    if (prefix !== undefined) return `${imports.get(prefix) ?? prefix}.${name}`;
    return basic.has(name) || name === "map" ? whole : `${own}.${name}`;
  });
}
