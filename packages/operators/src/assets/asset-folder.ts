import { readdirSync, readFileSync } from "node:fs";
import type { Asset } from "@stowage/operator";

/**
 * The YAML files of a folder, by name in order. Callers write the URL in full, from `import.meta.url`: the bundle finds by this
 * which folders it has to bring along.
 */
export function readAssetFolder(folder: URL): Asset[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}
