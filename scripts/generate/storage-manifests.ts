import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "../../packages/machinery/src/index.ts";
import { parsePatch } from "../../packages/operator/src/index.ts";
import {
  driverOperatorObjects,
  payloadObjects,
  type Rights,
} from "../../packages/operators/src/cluster-storage/composition/index.ts";
import { type DriverOperatorEntry, driverOperators } from "../../packages/operators/src/cluster-storage/index.ts";
import { driverAssetsOf } from "../../packages/operators/src/csi-driver/assets/index.ts";
import { driverOperatorRules, loadDriverProfile } from "../../packages/operators/src/csi-driver/index.ts";
import { checkout } from "../checkout.ts";
import { yamlText } from "./yaml-layout.ts";

const source = "packages/operators/src/cluster-storage";
const drivers = "packages/operators/src/csi-driver/drivers";

/**
 * What the storage operator applies for the operator of each driver, and what of its own payload repeats a table. A driver's operator
 * may do what the driver's assets need, so these are given, by path, as they are generated now.
 */
export async function generateStorageManifests(
  driverAssets: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };
  const files = new Map<string, string>();
  const driverObjects: KubernetesObject[] = [];
  for (const entry of driverOperators) {
    const rights = await rightsOf(entry, driverAssets);
    for (const [name, objects] of driverOperatorObjects({ entry, rights, patches: patchesOf(entry) })) {
      files.set(`${source}/assets/csidriveroperators/${entry.id}/${name}`, textOf(objects));
      driverObjects.push(...objects);
    }
  }
  for (const [name, objects] of payloadObjects({ entries: driverOperators, driverObjects, version })) {
    files.set(`packages/operators/manifests/${name}`, textOf(objects));
  }
  return files;
}

async function rightsOf({ id }: DriverOperatorEntry, driverAssets: ReadonlyMap<string, string>): Promise<Rights> {
  const folder = `${drivers}/${id}/generated/`;
  const assets = [...driverAssets]
    .filter(([path]) => path.startsWith(folder))
    .map(([path, text]) => ({ name: path.slice(folder.length), text }));
  return driverOperatorRules(await loadDriverProfile(id), driverAssetsOf(assets, id));
}

/** One file for each driver that needs it. */
function patchesOf({ id }: DriverOperatorEntry) {
  const name = `${id}-deployment.yaml`;
  const path = join(checkout, source, "composition/patches", name);
  return existsSync(path) ? [parsePatch({ name, text: readFileSync(path, "utf8") })] : [];
}

function textOf(objects: readonly KubernetesObject[]): string {
  const header = `# Generated from ${source} by \`npm run generate\`. Do not edit.\n`;
  const text = objects.map((object) => yamlText(object)).join("---\n");
  // An image that is not set is an empty text, and without quotes it would be nothing.
  return header + text.replaceAll(/: (\$\{[A-Z_]+\})$/gmu, ': "$1"');
}
