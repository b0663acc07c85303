import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { layoutOf, socketFolder } from "../cluster/layout.ts";
import { readFileIfPresent, writeFileAtomically } from "../files.ts";
import { writeImage } from "../image/image-archive.ts";
import { desiredImages, type LabImage } from "../image/lab-images.ts";
import type { TarEntry } from "../image/tar.ts";
import { checkoutPaths } from "../paths.ts";
import { runCommand } from "../process/command.ts";
import { type Progress, timed } from "../progress.ts";
import { KUBERNETES_NAMESPACE } from "./containers.ts";

interface Reporting {
  readonly progress: Progress;
  readonly signal?: AbortSignal;
}

/** Brings an image archive, such as one that `writeFolderImage` made, onto the node of a lab that is up. */
export async function importImage(dir: string, archive: string, signal?: AbortSignal): Promise<void> {
  await runCtr(dir, ["images", "import", archive], signal);
}

/** Gives an image of the node another name. */
export async function tagImage(dir: string, reference: string, other: string): Promise<void> {
  await runCtr(dir, ["images", "tag", "--force", reference, other]);
}

/** Runs a command in a container of an image that the node has, and returns what it prints. */
export async function runInImage(dir: string, reference: string, command: readonly string[]): Promise<string> {
  return runCtr(dir, ["run", "--rm", reference, `once-${randomUUID()}`, ...command]);
}

async function runCtr(dir: string, words: readonly string[], signal?: AbortSignal): Promise<string> {
  const socket = join(socketFolder(dir), "containerd.sock");
  const { stdout } = await runCommand("ctr", ["--address", socket, "--namespace", KUBERNETES_NAMESPACE, ...words], {
    signal,
  });
  return stdout;
}

/** Makes the lab's images once in a checkout, and imports those that the node does not have. */
export async function ensureImages(dir: string, pauseProgram: string, { progress, signal }: Reporting): Promise<void> {
  for (const image of await desiredImages(pauseProgram)) {
    const stamp = imageStamp(image);
    const imported = join(layoutOf(dir).containerd, "imported", image.name);
    if (readFileIfPresent(imported) === stamp) continue;
    await timed(progress, `importing ${image.reference}`, async () => {
      await importImage(dir, await ensureArchive(image, stamp), signal);
    });
    writeFileAtomically(imported, stamp);
  }
}

async function ensureArchive(image: LabImage, stamp: string): Promise<string> {
  const folder = checkoutPaths.imageFolder;
  const file = join(folder, `${image.name}-${stamp}.tar`);
  if (existsSync(file)) return file;
  await writeImage(file, image.entries, image);
  const outdated = readdirSync(folder).filter((name) => name.startsWith(`${image.name}-`) && !file.endsWith(name));
  for (const name of outdated) rmSync(join(folder, name), { force: true });
  return file;
}

/** By the size and time of the machine's files: reading 200 MB at each start to find them unchanged would take seconds. */
function imageStamp({ entries, ...configuration }: LabImage): string {
  const content = JSON.stringify([configuration, entries.map(fingerprint)]);
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function fingerprint(entry: TarEntry): unknown {
  if (entry.kind !== "file") return entry;
  if ("content" in entry) return [entry.path, entry.content.toString("base64")];
  const { size, mtimeMs } = statSync(entry.source);
  return [entry.path, entry.source, size, mtimeMs];
}
