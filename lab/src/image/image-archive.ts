import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { temporaryName } from "../files.ts";
import { folderEntries } from "./folder-entries.ts";
import { type TarEntry, tarBytes } from "./tar.ts";

export interface ImageConfiguration {
  /** Such as `local/busybox:1`. */
  readonly reference: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
}

export interface FolderImage extends ImageConfiguration {
  /** What becomes the image's root. */
  readonly folder: string;
  /** The archive to write, for `ctr images import` or `docker load`. */
  readonly file: string;
}

const CREATED = "1970-01-01T00:00:00Z";
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/** Makes an image archive of one layer from a folder, without a container engine. */
export async function writeFolderImage({ folder, file, ...configuration }: FolderImage): Promise<void> {
  await writeImage(file, folderEntries(folder), configuration);
}

/** The same entries and configuration give the same bytes, and so the same image id. */
export async function writeImage(file: string, entries: readonly TarEntry[], image: ImageConfiguration): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const [layerFile, archiveFile] = [temporaryName(`${file}.layer`), temporaryName(file)];
  try {
    const layer = await writeTar(layerFile, entries);
    const configuration = Buffer.from(JSON.stringify(imageConfiguration(image, layer)));
    const id = createHash("sha256").update(configuration).digest("hex");
    const manifest = [{ Config: `${id}.json`, RepoTags: [image.reference], Layers: [`${layer}.tar`] }];
    await writeTar(archiveFile, [
      { kind: "file", path: `${id}.json`, mode: 0o644, content: configuration },
      { kind: "file", path: `${layer}.tar`, mode: 0o644, source: layerFile },
      { kind: "file", path: "manifest.json", mode: 0o644, content: Buffer.from(JSON.stringify(manifest)) },
    ]);
    renameSync(archiveFile, file);
  } finally {
    rmSync(layerFile, { force: true });
    rmSync(archiveFile, { force: true });
  }
}

function imageConfiguration(image: ImageConfiguration, layerDigest: string) {
  const environment = { PATH: DEFAULT_PATH, ...image.environment };
  return {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: "linux",
    created: CREATED,
    config: {
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: image.entrypoint ?? [],
      Cmd: image.command ?? [],
      WorkingDir: image.workingFolder ?? "/",
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${layerDigest}`] },
    history: [{ created: CREATED, created_by: "stowage lab" }],
  };
}

/** Returns the archive's SHA-256. */
async function writeTar(file: string, entries: readonly TarEntry[]): Promise<string> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.from(tarBytes(entries)), hashing, createWriteStream(file));
  return hash.digest("hex");
}
