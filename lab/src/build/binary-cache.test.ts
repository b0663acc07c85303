import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { machineCacheFolder, placeFile, publishBinary, removeUnusedStamps, restoreBinary } from "./binary-cache.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "binary-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function built(content: string): string {
  const path = join(folder, "bin", "etcd");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(path, content, { mode: 0o755 });
  return path;
}

describe("the machine's cache of binaries", () => {
  it("gives back what was published under the same stamp, still executable", () => {
    const cache = join(folder, "cache");
    publishBinary(cache, "stamp", built("program"));
    const restored = join(folder, "other-checkout", "etcd");
    expect(restoreBinary(cache, "stamp", restored)).toBe(true);
    expect(readFileSync(restored, "utf8")).toBe("program");
    expect(statSync(restored).mode & 0o111).toBe(0o111);
    expect(restoreBinary(cache, "another", restored)).toBe(false);
  });

  it("forgets stamps that nobody has used for long", () => {
    const cache = join(folder, "cache");
    publishBinary(cache, "old", built("program"));
    publishBinary(cache, "new", built("program"));
    utimesSync(join(cache, "old"), 1, 1);
    utimesSync(join(cache, "new"), 2, 2);
    removeUnusedStamps(cache, 2000);
    expect(readdirSync(cache)).toEqual(["new"]);
  });

  it("follows XDG_CACHE_HOME", () => {
    expect(machineCacheFolder({ XDG_CACHE_HOME: "/cache" })).toBe("/cache/stowage/lab");
    expect(machineCacheFolder({})).toMatch(/\/\.cache\/stowage\/lab$/);
  });
});

it("placing a file onto another link of itself leaves no temporary name behind", () => {
  const from = built("program");
  const to = join(folder, "cache", "etcd");
  placeFile(from, to);
  placeFile(from, to);
  expect(existsSync(to)).toBe(true);
  expect(readdirSync(join(folder, "cache"))).toEqual(["etcd"]);
});
