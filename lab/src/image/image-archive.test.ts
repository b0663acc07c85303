import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFolderImage } from "./image-archive.ts";

const work = mkdtempSync(join(tmpdir(), "image-"));
const folder = join(work, "root");
const file = join(work, "image.tar");
afterAll(() => rmSync(work, { recursive: true }));

function member(name: string): Buffer {
  return execFileSync("tar", ["--extract", "--to-stdout", "--file", file, name]);
}

beforeAll(async () => {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", "tool"), "program", { mode: 0o755 });
  symlinkSync("tool", join(folder, "bin", "alias"));
  await writeFolderImage({
    folder,
    file,
    reference: "local/example:1",
    entrypoint: ["/bin/tool"],
    environment: { MODE: "test" },
  });
});

describe("an image made from a folder", () => {
  it("has a manifest that leads to its configuration and its layer", () => {
    const [manifest] = JSON.parse(member("manifest.json").toString());
    expect(manifest.RepoTags).toEqual(["local/example:1"]);
    const configuration = member(manifest.Config);
    const layer = member(manifest.Layers[0]);
    expect(manifest.Config).toBe(`${createHash("sha256").update(configuration).digest("hex")}.json`);
    const { config, rootfs, os } = JSON.parse(configuration.toString());
    expect(rootfs.diff_ids).toEqual([`sha256:${createHash("sha256").update(layer).digest("hex")}`]);
    expect({ os, entrypoint: config.Entrypoint }).toEqual({ os: "linux", entrypoint: ["/bin/tool"] });
    expect(config.Env).toContain("MODE=test");
    const listing = execFileSync("tar", ["--list"], { input: layer, encoding: "utf8" });
    expect(listing).toBe("bin/\nbin/alias\nbin/tool\n");
  });

  it("is the same bytes when it is made again, and leaves nothing else behind", async () => {
    const before = readFileSync(file);
    await writeFolderImage({
      folder,
      file,
      reference: "local/example:1",
      entrypoint: ["/bin/tool"],
      environment: { MODE: "test" },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(work).sort()).toEqual(["image.tar", "root"]);
  });
});
