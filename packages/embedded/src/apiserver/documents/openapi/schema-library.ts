import { readdirSync, readFileSync } from "node:fs";
import { openApiFolder, operationsFolder } from "@stowage/machinery/openapi";
import { type KindName, type Parameter, type Schema, sortedByKey } from "./openapi-types.ts";

export const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

interface ParameterTexts {
  readonly common: Readonly<Record<string, Parameter>>;
  readonly patch: Readonly<Record<string, Parameter>>;
  readonly parts: Readonly<Record<string, readonly Parameter[]>>;
}

/**
 * The schemas of all built-in kinds and the parameters of requests. Read from files when it is made, which takes some milliseconds and
 * megabytes: make one when a document is asked for, and let it go.
 */
export class SchemaLibrary {
  readonly parameters: ParameterTexts;
  readonly #schemas = new Map<string, Schema>();
  readonly #names = new Map<string, string>();

  constructor() {
    this.parameters = readJson(new URL("parameters.json", operationsFolder)) as ParameterTexts;
    const files = readdirSync(openApiFolder).filter((name) => name.endsWith(".json"));
    for (const file of files) {
      const { schemas } = readJson(new URL(file, openApiFolder)) as { schemas: Record<string, Schema> };
      for (const [name, schema] of Object.entries(schemas)) this.#add(name, schema);
    }
  }

  /** The name of the schema of a built-in kind. */
  nameOf({ group, version, kind }: KindName): string {
    const name = this.#names.get(`${group}/${version}/${kind}`);
    if (name === undefined) throw new TypeError(`no schema of ${group}/${version} ${kind}`);
    return name;
  }

  /** Those that something refers to, and what they refer to, by name. `own` come before what is here. */
  reachedFrom(root: unknown, own: ReadonlyMap<string, Schema> = new Map()): Record<string, Schema> {
    const reached = new Map<string, Schema>();
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === "string") {
        const name = $ref.slice($ref.lastIndexOf("/") + 1);
        const schema = own.get(name) ?? this.#schemas.get(name);
        if (schema !== undefined && !reached.has(name)) visit(reached.set(name, schema) && schema);
      }
      for (const each of Object.values(value)) visit(each);
    };
    visit(root);
    return sortedByKey(reached);
  }

  #add(name: string, schema: Schema): void {
    this.#schemas.set(name, schema);
    const kinds = (schema["x-kubernetes-group-version-kind"] ?? []) as readonly KindName[];
    // Options come with every group; none of them is what they belong to.
    if (name.startsWith(metaPrefix)) return;
    for (const { group, version, kind } of kinds) this.#names.set(`${group}/${version}/${kind}`, name);
  }
}

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
