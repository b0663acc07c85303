import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageLayers } from "../../../scripts/image/image-layers.ts";
import { imageLooks } from "../../../scripts/image/image-table.ts";
import { writeOciArchive } from "../../../scripts/image/oci-archive.ts";

/** Not a registry that anybody could reach: the node has the images, or nothing starts. */
export const place = "registry.invalid/stowage";
export const tag = "installed";

export const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

export interface OwnImages extends Disposable {
  readonly archive: string;
  /** By reference. */
  readonly digests: Readonly<Record<string, string>>;
}

/** What `npm run image` writes. */
export async function writeOwnImages(): Promise<OwnImages> {
  const folder = mkdtempSync(join(tmpdir(), "own-images-"));
  const archive = join(folder, "stowage.tar");
  const layers = await imageLayers();
  const digests = await writeOciArchive({ file: archive, place, tag, version, looks: imageLooks, layers });
  return { archive, digests, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
