import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeVolumeFolder } from "./volume-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "volume-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a folder for a driver", () => {
  it("is made with all that is missing above it, once", () => {
    const path = join(folder, "a/b/c");
    for (let times = 0; times < 2; times++) makeVolumeFolder(path, "who failed:");
    for (const each of [path, join(folder, "a")]) expect(statSync(each).mode & 0o777).toBe(0o750);
  });

  it("that cannot be made is told as kubelet tells it, down to where it ended", () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file/b/c");
    expect(() => makeVolumeFolder(path, `failed to create dir "${path}": `)).toThrow(
      `kubernetes.io/csi: failed to create dir "${path}":  mkdir ${path}: not a directory`,
    );
  });
});
