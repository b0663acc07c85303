import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { checkout } from "../checkout.ts";
import { generateApiTypes } from "./api-types.ts";
import { generateApplySchemas } from "./apply-schemas.ts";
import { generateCrdManifests } from "./crd-manifests.ts";
import { generateCsiProtocol } from "./csi-protocol.ts";
import { generateDockerfile } from "./dockerfile.ts";
import { generateDriverAssets } from "./driver-assets.ts";
import { generateDriverTable } from "./driver-folders.ts";
import { generateFieldDescriptions } from "./field-descriptions.ts";
import { generateInstallManifests } from "./install-manifests.ts";
import { generateReferencePages } from "./reference-pages.ts";
import { generateRightsPage } from "./rights-page.ts";
import { generateServedResources } from "./served-resources.ts";
import { generateSidecarRoles } from "./sidecar-roles.ts";
import { generateStorageManifests } from "./storage-manifests.ts";

/** Path in the checkout -> content. */
type GeneratedFiles = ReadonlyMap<string, string>;

async function allGeneratedFiles(): Promise<GeneratedFiles> {
  const apiTypes = [...(await generateApiTypes())].map(
    ([path, content]) => [relative(checkout, path), content] as const,
  );
  const driverAssets = await generateDriverAssets();
  const definitions = generateCrdManifests();
  const storageManifests = await generateStorageManifests(driverAssets);
  const sidecarRoles = generateSidecarRoles();
  return new Map([
    ...apiTypes,
    ...(await generateApplySchemas()),
    ...(await generateCsiProtocol()),
    ...(await generateReferencePages()),
    ...definitions,
    ...(await generateFieldDescriptions()),
    ...(await generateServedResources()),
    ...sidecarRoles,
    ...(await generateDriverTable()),
    ...driverAssets,
    ...storageManifests,
    ...(await generateInstallManifests(new Map([...definitions, ...driverAssets, ...storageManifests]))),
    ...generateDockerfile(),
    ...generateRightsPage(new Map([...sidecarRoles, ...storageManifests, ...driverAssets])),
  ]);
}

/** Writes what differs and returns the paths written. */
export async function writeGeneratedFiles(): Promise<string[]> {
  const written: string[] = [];
  for (const [path, content] of await allGeneratedFiles()) {
    if ((await readOrUndefined(path)) === content) continue;
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), content);
    written.push(path);
  }
  return written;
}

/** One line for each file that is not what the generators make now. */
export async function staleGeneratedFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, content] of await allGeneratedFiles()) {
    if ((await readOrUndefined(path)) !== content) stale.push(`${path} is stale: run "npm run generate"`);
  }
  return stale;
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(checkout, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
