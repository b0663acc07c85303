import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAssetFolder } from "../../assets/index.ts";

const manifests = new URL("../../../manifests/", import.meta.url);
const definitions = new URL("../../../manifests/crds/", import.meta.url);

export interface PayloadWishes {
  readonly version: string;
  /** In place of those that it names, by variable of the storage operator; an empty one is an image that there is not. */
  readonly images?: Readonly<Record<string, string>>;
  /** In place of images that it names, by the name that it has for them, wherever that is. */
  readonly references?: Readonly<Record<string, string>>;
  /** Beside its own, by file name. */
  readonly manifests?: Readonly<Record<string, string>>;
}

/**
 * Puts the payload that this program carries into a folder, in place of what was there: `release-metadata` last, as whoever brings one must.
 * Readable by everybody, since the version operator need not be who brings it.
 */
export function writeShippedPayload(directory: string, wishes: PayloadWishes): void {
  const { version, images = {}, references = {}, manifests: further = {} } = wishes;
  const folder = join(directory, "manifests");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = [
    ...readAssetFolder(definitions).map(({ name, text }) => ({ name: `0000_10_definitions_${name}`, text })),
    ...readAssetFolder(manifests),
    ...Object.entries(further).map(([name, text]) => ({ name, text })),
  ];
  for (const { name, text } of files) {
    writeFileSync(join(folder, name), withImages(withReferences(text, references), images), { mode: 0o644 });
  }
  const metadata = join(directory, "release-metadata");
  const content = JSON.stringify({ kind: "cincinnati-metadata-v0", version, previous: [] });
  writeFileSync(`${metadata}.new`, content, { mode: 0o644 });
  renameSync(`${metadata}.new`, metadata);
}

function withImages(text: string, images: Readonly<Record<string, string>>): string {
  return Object.entries(images).reduce(
    (changed, [variable, image]) =>
      changed.replace(
        new RegExp(`^(?<before> *- name: ${variable}\\n *value: ).*$`, "mu"),
        (_, before: string) => before + JSON.stringify(image),
      ),
    text,
  );
}

function withReferences(text: string, references: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /^(?<before> *(?:- )?(?:image|value): )(?<reference>\S+)$/gmu,
    (line, before: string, reference: string) =>
      Object.hasOwn(references, reference) ? before + JSON.stringify(references[reference]) : line,
  );
}
