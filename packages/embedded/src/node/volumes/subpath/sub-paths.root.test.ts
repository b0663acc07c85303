import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMounter, type Executor, systemExecutor } from "@stowage/csi/host";
import { silentLogger, systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SubPaths } from "./sub-paths.ts";

let folder: string;
let volumePath: string;
let secretPath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sub-paths-"));
  volumePath = join(folder, "pods", "u", "volumes", "kubernetes.io~empty-dir", "data");
  secretPath = join(folder, "machine");
  mkdirSync(volumePath, { recursive: true });
  chmodSync(volumePath, 0o2777);
  mkdirSync(secretPath);
  writeFileSync(join(secretPath, "shadow"), "of the machine");
});
afterEach(async () => {
  await subPaths().removed("u");
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder);
  expect(existsSync(join(folder, "pods", "u", "volume-subpaths"))).toBe(false);
  expect(readdirSync(secretPath)).toEqual(["shadow"]);
  rmSync(folder, { recursive: true });
});

function subPaths(executor: Executor = systemExecutor): SubPaths {
  const mounter = createMounter(systemExecutor);
  return new SubPaths({
    executor,
    mounter,
    clock: systemClock,
    logger: silentLogger,
    podsFolder: join(folder, "pods"),
  });
}

const use = (within: string) => ({ podUid: "u", container: "main", index: 2, volume: "data", volumePath, within });
const prepared = (within: string, executor?: Executor) => subPaths(executor).prepared(use(within));
const inVolume = (path: string) => join(volumePath, path);
const refusal = (doing: string) =>
  expect.objectContaining({
    code: "CONTAINER_CONFIG",
    message: `failed to ${doing} for volumeMount "data" of container "main"`,
  });

describe("a part of a volume", () => {
  it("is at a place of its Pod's own, by volume, container and mount", async () => {
    mkdirSync(inVolume("a/b"), { recursive: true });
    writeFileSync(inVolume("a/b/file"), "inside");
    const place = await prepared("a/b");
    expect(place).toBe(join(folder, "pods", "u", "volume-subpaths", "data", "main", "2"));
    expect(readFileSync(join(place, "file"), "utf8")).toBe("inside");
  });

  it("may be a file, also one that a link in the volume leads to", async () => {
    mkdirSync(inVolume("..1"));
    writeFileSync(inVolume("..1/key"), "value");
    symlinkSync("..1", inVolume("..data"));
    symlinkSync("..data/key", inVolume("key"));
    expect(readFileSync(await prepared("key"), "utf8")).toBe("value");
  });

  it("is made with the mode of the volume when it is not there", async () => {
    mkdirSync(inVolume("a"));
    await prepared("a/b/c");
    expect([statSync(inVolume("a/b")).mode & 0o7777, statSync(inVolume("a/b/c")).mode & 0o7777]).toEqual([
      0o2777, 0o2777,
    ]);
  });

  it("is left mounted for the next start of its container, and mounted anew when it is another", async () => {
    mkdirSync(inVolume("a"));
    const place = await prepared("a");
    const mounts = () =>
      readFileSync("/proc/self/mountinfo", "utf8")
        .split("\n")
        .filter((line) => line.includes(place));
    const before = mounts();
    expect(before).toHaveLength(1);
    await prepared("a");
    expect(mounts()).toEqual(before);
    renameSync(inVolume("a"), inVolume("former"));
    writeFileSync(inVolume("a"), "now a file");
    expect(readFileSync(await prepared("a"), "utf8")).toBe("now a file");
    expect(mounts()).toHaveLength(1);
  });

  it("goes without what is in it, also when whoever mounted it is gone", async () => {
    mkdirSync(inVolume("a"));
    writeFileSync(inVolume("a/kept"), "");
    const place = await prepared("a");
    execFileSync("mount", ["--bind", secretPath, place]);
    await subPaths().removed("u");
    expect(readdirSync(inVolume("a"))).toEqual(["kept"]);
  });
});

describe("a path that leads out of a volume", () => {
  it.each([
    ["an absolute link", () => symlinkSync(secretPath, inVolume("out")), "out"],
    ["a link with a way up", () => symlinkSync("../../../../../machine", inVolume("out")), "out"],
    ["a link on the way", () => symlinkSync(secretPath, inVolume("out")), "out/shadow"],
    ["a link to a link", () => (symlinkSync("two", inVolume("one")), symlinkSync(secretPath, inVolume("two"))), "one"],
    ["a link to /etc", () => symlinkSync("/etc", inVolume("out")), "out/passwd"],
    ["its text", () => mkdirSync(inVolume("a")), "a/../../../../../../machine"],
  ])("is refused: %s", async (_by, attack, within) => {
    attack();
    await expect(prepared(within)).rejects.toThrow(refusal("prepare subPath"));
  });

  it.each([
    ["below a link", () => symlinkSync(secretPath, inVolume("out")), "out/new"],
    ["where a link leads nowhere yet", () => symlinkSync(join(secretPath, "new"), inVolume("out")), "out"],
    ["beyond it", () => symlinkSync(join(secretPath, "new"), inVolume("out")), "out/deeper"],
    ["in place of a file", () => writeFileSync(inVolume("file"), ""), "file/new"],
  ])("gets no folders made: %s", async (_by, attack, within) => {
    attack();
    await expect(prepared(within)).rejects.toThrow(refusal("create subPath directory"));
  });

  it("is not taken when the folder becomes a link between the look and the mount", async () => {
    mkdirSync(inVolume("a/b"), { recursive: true });
    writeFileSync(inVolume("a/b/file"), "inside");
    const swapping: Executor = {
      run(argv, options) {
        renameSync(inVolume("a"), inVolume("away"));
        mkdirSync(inVolume("a"));
        symlinkSync(secretPath, inVolume("a/b"));
        return systemExecutor.run(argv, options);
      },
    };
    expect(readdirSync(await prepared("a/b", swapping))).toEqual(["file"]);
  });

  it("is never mounted while somebody keeps exchanging a folder and a link", async () => {
    mkdirSync(inVolume("a/b"), { recursive: true });
    writeFileSync(inVolume("a/b/file"), "inside");
    symlinkSync(secretPath, inVolume("link"));
    const over = new AbortController();
    let swaps = 0;
    const attacker = (async () => {
      while (!over.signal.aborted) {
        renameSync(inVolume("a/b"), inVolume("aside"));
        renameSync(inVolume("link"), inVolume("a/b"));
        await new Promise(setImmediate);
        renameSync(inVolume("a/b"), inVolume("link"));
        renameSync(inVolume("aside"), inVolume("a/b"));
        swaps++;
        await new Promise(setImmediate);
      }
    })();
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const place = await prepared("a/b").catch(() => undefined);
      outcomes.add(place === undefined ? "refused" : readdirSync(place).join());
    }
    over.abort();
    await attacker;
    expect(swaps).toBeGreaterThan(0);
    expect([...outcomes]).not.toContain("shadow");
    expect(outcomes.size).toBeGreaterThan(0);
  });
});
