import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ApiDocument } from "./openapi-document.ts";
import { patchSchemaFile } from "./patch-table.ts";
import { resourcesFile } from "./resource-descriptors.ts";
import { indexFile } from "./type-index.ts";
import { typesFile } from "./typescript-types.ts";

const input = new URL("../../packages/machinery/openapi/", import.meta.url);
const output = new URL("../../packages/machinery/src/api/generated/", import.meta.url);

const header = "// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.\n\n";

/** The files of `packages/machinery/src/api/generated`, by absolute path. Writes nothing. */
export async function generateApiTypes(): Promise<Map<string, string>> {
  const documents = await readDocuments();
  const files = new Map<string, string>();
  for (const [file, document] of documents) files.set(`${file}.ts`, typesFile(document, file));
  files.set("resources.ts", resourcesFile(documents));
  files.set("patch-schema.ts", patchSchemaFile(documents));
  files.set("index.ts", indexFile(documents));
  return new Map([...files].map(([name, content]) => [fileURLToPath(new URL(name, output)), header + content]));
}

async function readDocuments(): Promise<Map<string, ApiDocument>> {
  const names = (await readdir(input)).filter((name) => name.endsWith(".json")).toSorted();
  const documents = new Map<string, ApiDocument>();
  for (const name of names) {
    documents.set(
      name.slice(0, -".json".length),
      JSON.parse(await readFile(new URL(name, input), "utf8")) as ApiDocument,
    );
  }
  return documents;
}
