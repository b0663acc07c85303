import { child, keyed } from "../errors/field-path.ts";
import type { SchemaNode } from "../schema/schema-node.ts";

export interface FoundField {
  readonly path: string;
  readonly node: SchemaNode | undefined;
}

const quoted = /^\['((?:[^'\\]|\\.)*)'\]/;
const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** The field that a path such as `.spec.names['a.b']` leads to in a schema; a text says why it leads to none. */
export function findField(jsonPath: string, root: SchemaNode, allowBrackets = true): FoundField | string {
  let found: FoundField = { path: "", node: root };
  let rest = jsonPath;
  while (rest !== "") {
    const step = nextStep(rest, allowBrackets);
    if (typeof step === "string") return step;
    const next = enter(found, step.name);
    if (next === undefined) return "does not refer to a valid field";
    found = next;
    rest = rest.slice(step.length);
  }
  return found;
}

function nextStep(rest: string, allowBrackets: boolean): { name: string; length: number } | string {
  if (rest.startsWith(".")) {
    const name = /^[^.[\]]*/.exec(rest.slice(1))?.[0] ?? "";
    if (rest.length === 1) return "unexpected end of JSON path";
    // A mark after the dot is taken for the name, and is not one that any field has.
    return { name: name === "" ? (rest[1] ?? "") : name, length: 1 + Math.max(name.length, 1) };
  }
  if (!rest.startsWith("[")) return `expected [ or . but got: ${/^[^.[\]]+|./.exec(rest)?.[0] ?? ""}`;
  if (!allowBrackets) return "array notation is not allowed";
  const match = quoted.exec(rest);
  if (match === null) return `expected single quoted string but got ${/^\[([^.[\]]*)/.exec(rest)?.[1] ?? ""}`;
  const wrong = [...(match[1] ?? "").matchAll(/\\(.)/g)].find(([, mark = ""]) => escapes[mark] === undefined);
  if (wrong !== undefined) return `invalid string literal: invalid escape char ${wrong[0]}`;
  const name = (match[1] ?? "").replace(/\\(.)/g, (_, mark: string) => escapes[mark] ?? mark);
  return { name, length: match[0].length };
}

function enter({ path, node }: FoundField, name: string): FoundField | undefined {
  if (node === undefined) return undefined;
  if (node.properties.size > 0) {
    const property = node.properties.get(name);
    return property && { path: child(path, name), node: property };
  }
  if (node.additionalProperties === undefined) return undefined;
  const inner = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  return { path: keyed(path, name), node: inner };
}
