import type { ApiDocument } from "./openapi-document.ts";
import { distinctType, importLine } from "./resource-descriptors.ts";
import { typeName } from "./typescript-types.ts";

/** These name their types plainly; others that share a name with them, or with each other, are prefixed. */
const plain = ["core-v1", "meta-v1"];

/** `index.ts`: every type of every group under one name. */
export function indexFile(documents: ReadonlyMap<string, ApiDocument>): string {
  const claims = new Map<string, string[]>();
  for (const [file, document] of documents) {
    for (const type of Object.keys(document.schemas).map(typeName)) {
      claims.set(type, [...(claims.get(type) ?? []), file]);
    }
  }
  const lines = [...documents].map(([file, document]) => {
    const names = Object.keys(document.schemas).map(typeName).toSorted();
    return importLine(
      names.map((type) => exportedName(type, file, claims.get(type) ?? [])),
      `./${file}.ts`,
      "export",
    );
  });
  return `${lines.join("")}export * from "./resources.ts";\n`;
}

function exportedName(type: string, file: string, claimants: readonly string[]): string {
  return claimants.length === 1 || plain.includes(file) ? type : `${type} as ${distinctType(file, type)}`;
}
