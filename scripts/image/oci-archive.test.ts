import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageLayer } from "./image-layers.ts";
import type { ImageLook } from "./image-table.ts";
import { type ArchiveWishes, writeOciArchive } from "./oci-archive.ts";

const work = mkdtempSync(join(tmpdir(), "oci-archive-"));
const file = join(work, "images.tar");
const layer = (title: string, path: string): ImageLayer => ({
  title,
  entries: [{ kind: "file", path, mode: 0o644, content: Buffer.from(title) }],
});
const looks: readonly ImageLook[] = [
  { name: "first", entrypoint: ["tool"], user: 65_532 },
  { name: "second", entrypoint: ["tool", "other"], user: 0 },
];
const wishes: ArchiveWishes = {
  file,
  place: "registry.example.com/team",
  tag: "1.2.3",
  version: "1.2.3",
  looks,
  layers: [layer("base", "etc/base"), layer("program", "opt/program")],
};
let digests: Record<string, string>;

beforeAll(async () => {
  digests = await writeOciArchive(wishes);
});
afterAll(() => rmSync(work, { recursive: true }));

const member = (name: string) => execFileSync("tar", ["--extract", "--to-stdout", "--file", file, name]);
const json = (name: string) => JSON.parse(member(name).toString());
const digestOf = (content: Buffer) => `sha256:${createHash("sha256").update(content).digest("hex")}`;
const blob = ({ digest }: { digest: string }) => member(`blobs/${digest.replace(":", "/")}`);

describe("an archive of images", () => {
  it("names each image, and is what its index says, down to every layer", () => {
    expect(json("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
    const { manifests } = json("index.json");
    const names = manifests.map(({ annotations }: { annotations: object }) => Object.values(annotations));
    expect(names).toEqual(["first", "second"].map((name) => Array(2).fill(`registry.example.com/team/${name}:1.2.3`)));
    for (const described of manifests) {
      const manifest = JSON.parse(blob(described).toString());
      for (const each of [described, manifest.config, ...manifest.layers]) {
        expect({ digest: digestOf(blob(each)), size: blob(each).length }).toMatchObject({
          digest: each.digest,
          size: each.size,
        });
      }
      const { rootfs } = JSON.parse(blob(manifest.config).toString());
      expect(rootfs.diff_ids).toEqual(
        manifest.layers.map((each: { digest: string }) => digestOf(gunzipSync(blob(each)))),
      );
    }
  });

  it("has one copy of the layers that its images share, and what each image starts as whom", () => {
    const manifests = json("index.json").manifests.map((each: { digest: string }) => JSON.parse(blob(each).toString()));
    expect(manifests[0].layers).toEqual(manifests[1].layers);
    const configs = manifests.map(({ config }: { config: { digest: string } }) => JSON.parse(blob(config).toString()));
    const said = configs.map(({ config }: { config: { Entrypoint: string[]; User: string } }) => config);
    expect(said.map(({ Entrypoint, User }: { Entrypoint: string[]; User: string }) => [Entrypoint, User])).toEqual([
      [["tool"], "65532"],
      [["tool", "other"], "0"],
    ]);
  });

  it("is the same bytes when it is made again, and leaves nothing else behind", async () => {
    const before = readFileSync(file);
    expect(await writeOciArchive(wishes)).toEqual(digests);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(work)).toEqual(["images.tar"]);
  });
});
