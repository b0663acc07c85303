import { readdir, readFile } from "node:fs/promises";
import type { ApiDocument, DiscoveredResource } from "./openapi-document.ts";

const input = new URL("../../packages/machinery/openapi/", import.meta.url);
const output = "packages/embedded/src/apiserver/resources/generated/built-in-resources.ts";

const header = `// Generated from packages/machinery/openapi by \`npm run generate\`. Do not edit.

import type { ServedResource } from "../served-resource.ts";
`;

/** What the embedded API server serves without a definition: the resources that a real one's discovery names. */
export async function generateServedResources(): Promise<Map<string, string>> {
  const names = (await readdir(input)).filter((name) => name.endsWith(".json")).toSorted();
  const entries: string[] = [];
  for (const name of names) {
    const document = JSON.parse(await readFile(new URL(name, input), "utf8")) as ApiDocument;
    entries.push(...entriesOf(document));
  }
  const list = entries.map((entry) => `  ${entry},\n`).join("");
  return new Map([[output, `${header}\nexport const builtInResources: readonly ServedResource[] = [\n${list}];\n`]]);
}

function entriesOf({ groupVersion, resources }: ApiDocument): string[] {
  const [version = "", group = ""] = groupVersion.split("/").toReversed();
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => {
      const prefix = `${resource.name}/`;
      const own = resources.filter(({ name }) => name.startsWith(prefix));
      return JSON.stringify({
        group,
        version,
        plural: resource.name,
        ...described(resource),
        singular: resource.singularName,
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        subresources: own.map((each) => ({ name: each.name.slice(prefix.length), ...described(each) })),
      });
    });
}

function described({ kind, group, version, namespaced, verbs }: DiscoveredResource) {
  const foreign = group === undefined ? {} : { kindGroup: group, kindVersion: version };
  return { kind, ...foreign, namespaced, verbs };
}
