/**
 * Rewrites the table of Go's types from the Go modules that the lab pins: names, numbers on the wire, and what is left out when it is
 * empty. OpenAPI does not tell these.
 *
 *   node scripts/generate/refresh-go-types.ts
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readGoTypes } from "./go-source.ts";

const modules = ["k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver", "k8s.io/kube-aggregator"];
const output = new URL("../../packages/embedded/src/apiserver/protobuf/generated/go-types.ts", import.meta.url);

/** Folders by module; what they are called in the table is the last part of each, after `=`. */
const folders: Readonly<Record<string, readonly string[]>> = {
  "k8s.io/api": (
    "admissionregistration apps authentication authorization autoscaling batch certificates coordination core discovery events " +
    "networking node policy rbac scheduling storage"
  )
    .split(" ")
    .map((group) => `${group}/v1`),
  "k8s.io/apimachinery": ["pkg/apis/meta/v1", "pkg/runtime", "pkg/util/intstr", "pkg/api/resource"],
  "k8s.io/apiextensions-apiserver": ["pkg/apis/apiextensions/v1"],
  "k8s.io/kube-aggregator": ["pkg/apis/apiregistration/v1"],
};

const header = `// Read from the Go modules of Kubernetes by \`node scripts/generate/refresh-go-types.ts\`. Do not edit.

/** See \`go-type.ts\`. */
export const goTypes: Readonly<Record<string, string>> = {
`;

function moduleFolders(): Map<string, string> {
  const cwd = new URL("../../lab/go/kubernetes/", import.meta.url);
  const format = "{{.Path}} {{.Dir}}";
  const listed = execFileSync("go", ["list", "-m", "-f", format, ...modules], { cwd, encoding: "utf8" });
  return new Map(
    listed
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
}

const isSource = (name: string) => name.endsWith(".go") && !/_test\.go$|^zz_|^generated|^register|^doc\.go/.test(name);

const types = new Map<string, string>();
const places = moduleFolders();
for (const [module, paths] of Object.entries(folders)) {
  for (const path of paths) {
    const folder = join(places.get(module) ?? "", path);
    const files = readdirSync(folder).filter(isSource).toSorted();
    for (const file of files) {
      const read = readGoTypes(readFileSync(join(folder, file), "utf8"), `${module}/${path}`);
      for (const [name, text] of read) types.set(name, text);
    }
  }
}
const lines = [...types]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
writeFileSync(output, `${header}${lines.join("")}};\n`);
console.log(`wrote ${lines.length} types`);
