import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type TarEntry, tarBytes } from "@stowage/lab";
import type { ImageLayer } from "./image-layers.ts";
import { type ImageLook, imageEnvironment, imageLabels, imageReference } from "./image-table.ts";

export interface ArchiveWishes {
  readonly file: string;
  /** Registry and folder in it that the images are named for; may be empty. */
  readonly place: string;
  readonly tag: string;
  readonly version: string;
  readonly looks: readonly ImageLook[];
  readonly layers: readonly ImageLayer[];
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface WrittenLayer {
  readonly title: string;
  readonly source: string;
  readonly descriptor: Descriptor;
  /** Of the layer as it is unpacked. */
  readonly diffId: string;
}

const MEDIA = "application/vnd.oci.image";
/** Nobody's clock: the same content is the same image. */
const CREATED = "1970-01-01T00:00:00Z";
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Writes an image layout as one tar file, for `ctr images import` or `skopeo copy oci-archive:`. The same layers, names and
 * version give the same bytes. Returns the digest of each image by its reference.
 */
export async function writeOciArchive(wishes: ArchiveWishes): Promise<Record<string, string>> {
  mkdirSync(dirname(wishes.file), { recursive: true });
  const work = mkdtempSync(join(dirname(wishes.file), `.${basename(wishes.file)}-`));
  try {
    const layers: WrittenLayer[] = [];
    for (const layer of wishes.layers) layers.push(await writeLayer(join(work, String(layers.length)), layer));
    const images = wishes.looks.map((look) => describeImage(wishes, look, layers));
    const archive = join(work, "archive");
    await pipeline(Readable.from(tarBytes(archiveEntries(images, layers))), createWriteStream(archive));
    renameSync(archive, wishes.file);
    return Object.fromEntries(images.map(({ reference, manifest }) => [reference, descriptorOf("", manifest).digest]));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function writeLayer(source: string, { title, entries }: ImageLayer): Promise<WrittenLayer> {
  const [unpacked, packed] = [hashing(), hashing()];
  await pipeline(
    Readable.from(tarBytes(entries)),
    unpacked.stream,
    createGzip(),
    packed.stream,
    createWriteStream(source),
  );
  const size = statSync(source).size;
  const descriptor = { mediaType: `${MEDIA}.layer.v1.tar+gzip`, digest: packed.digest(), size };
  return { title, source, descriptor, diffId: unpacked.digest() };
}

function hashing() {
  const hash = createHash("sha256");
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, digest: () => `sha256:${hash.digest("hex")}` };
}

interface DescribedImage {
  readonly reference: string;
  readonly configuration: Buffer;
  readonly manifest: Buffer;
}

function describeImage(wishes: ArchiveWishes, look: ImageLook, layers: readonly WrittenLayer[]): DescribedImage {
  const configuration = json({
    created: CREATED,
    architecture: architectures[process.arch] ?? process.arch,
    os: "linux",
    config: {
      User: String(look.user),
      Env: Object.entries(imageEnvironment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: look.entrypoint,
      WorkingDir: "/",
      Labels: imageLabels(look.name, wishes.version),
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created: CREATED, created_by: title })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: descriptorOf(`${MEDIA}.config.v1+json`, configuration),
    layers: layers.map(({ descriptor }) => descriptor),
  });
  return { reference: imageReference(wishes.place, look.name, wishes.tag), configuration, manifest };
}

function* archiveEntries(images: readonly DescribedImage[], layers: readonly WrittenLayer[]): Generator<TarEntry> {
  const index = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: images.map(({ reference, manifest }) => ({
      ...descriptorOf(`${MEDIA}.manifest.v1+json`, manifest),
      annotations: { "io.containerd.image.name": reference, "org.opencontainers.image.ref.name": reference },
    })),
  });
  yield contentEntry("oci-layout", json({ imageLayoutVersion: "1.0.0" }));
  yield contentEntry("index.json", index);
  for (const { configuration, manifest } of images) {
    for (const content of [configuration, manifest]) yield contentEntry(blobPath(descriptorOf("", content)), content);
  }
  for (const { source, descriptor } of layers) {
    yield { kind: "file", path: blobPath(descriptor), mode: 0o644, source };
  }
}

function blobPath({ digest }: Descriptor): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function descriptorOf(mediaType: string, content: Buffer): Descriptor {
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  return { mediaType, digest, size: content.length };
}

function contentEntry(path: string, content: Buffer): TarEntry {
  return { kind: "file", path, mode: 0o644, content };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
