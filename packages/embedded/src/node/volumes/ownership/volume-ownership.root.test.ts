import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setVolumeOwnership, type VolumeOwnership } from "./volume-ownership.ts";

const fsGroup = 4711;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ownership-"));
  path = join(folder, "volume");
  mkdirSync(path, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const own = (more: Partial<VolumeOwnership> = {}) =>
  setVolumeOwnership(
    { path, fsGroup, changePolicy: undefined, isReadOnly: false, ...more },
    new AbortController().signal,
  );
const facts = (name: string) => {
  const { gid, mode } = lstatSync(join(path, name));
  return [gid, mode & 0o7777];
};

describe("a volume that is given to a group", () => {
  beforeEach(() => {
    mkdirSync(join(path, "deep", "er"), { recursive: true });
    writeFileSync(join(path, "deep", "er", "file"), "", { mode: 0o600 });
    writeFileSync(join(path, "program"), "");
    chmodSync(join(path, "program"), 0o4750);
  });

  it("lets the group use everything in it, and keeps what others may", async () => {
    await own();
    expect([facts("."), facts("deep/er")]).toEqual([
      [fsGroup, 0o2775],
      [fsGroup, 0o2775],
    ]);
    expect([facts("deep/er/file"), facts("program")]).toEqual([
      [fsGroup, 0o660],
      [fsGroup, 0o4770],
    ]);
  });

  it("lets the group only read when it is read-only", async () => {
    await own({ isReadOnly: true });
    expect([facts("."), facts("deep/er/file")]).toEqual([
      [fsGroup, 0o2755],
      [fsGroup, 0o640],
    ]);
  });

  it("is left alone when its root is right and its Pod wants that", async () => {
    await own();
    writeFileSync(join(path, "later"), "", { mode: 0o600 });
    const before = facts("later");
    await own({ changePolicy: "OnRootMismatch" });
    expect(facts("later")).toEqual(before);
    chmodSync(path, 0o755);
    await own({ changePolicy: "OnRootMismatch" });
    expect(facts("later")).toEqual([fsGroup, 0o660]);
  });

  it("changes links and not what they lead to", async () => {
    writeFileSync(join(folder, "outside"), "", { mode: 0o600 });
    mkdirSync(join(folder, "folder"), { mode: 0o700 });
    symlinkSync("../outside", join(path, "link"));
    symlinkSync(join(folder, "folder"), join(path, "way"));
    const outside = () =>
      ["outside", "folder"].map((name) => [statSync(join(folder, name)).gid, statSync(join(folder, name)).mode]);
    const before = outside();
    await own();
    expect(outside()).toEqual(before);
    expect([facts("link")[0], facts("way")[0]]).toEqual([fsGroup, fsGroup]);
  });

  it("stays on its own file system", async () => {
    mkdirSync(join(path, "other"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "mode=700", "other", join(path, "other")]);
    try {
      writeFileSync(join(path, "other", "file"), "");
      await own();
      expect(facts("other/file")[0]).toBe(0);
      expect(facts("other")).toEqual([0, 0o700]);
      expect(facts("program")[0]).toBe(fsGroup);
    } finally {
      execFileSync("umount", [join(path, "other")]);
    }
  });

  it("ends when nobody waits for it any more, with its root not done", async () => {
    const gone = AbortSignal.abort();
    const wish = { path, fsGroup, changePolicy: "OnRootMismatch", isReadOnly: false };
    await expect(setVolumeOwnership(wish, gone)).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(facts(".")[0]).toBe(0);
  });
});

it("never changes what is outside, whoever exchanges folders and links meanwhile", async () => {
  mkdirSync(join(folder, "outside"), { mode: 0o700 });
  writeFileSync(join(folder, "outside", "file"), "", { mode: 0o600 });
  mkdirSync(join(path, "a"));
  writeFileSync(join(path, "a", "file"), "", { mode: 0o600 });
  symlinkSync("../outside", join(path, "link"));
  const over = new AbortController();
  const attacker = (async () => {
    while (!over.signal.aborted) {
      for (const [from, to] of [
        ["a", "aside"],
        ["link", "a"],
        ["a", "link"],
        ["aside", "a"],
      ] as const) {
        renameSync(join(path, from), join(path, to));
        await new Promise(setImmediate);
      }
    }
  })();
  for (let round = 0; round < 100; round++) await own({ fsGroup: fsGroup + round });
  over.abort();
  await attacker;
  const { gid, mode } = statSync(join(folder, "outside", "file"));
  expect([gid, mode & 0o777, statSync(join(folder, "outside")).mode & 0o777]).toEqual([0, 0o600, 0o700]);
});

it("leaves turns to others in a volume of many files", async () => {
  for (let each = 0; each < 3000; each++) writeFileSync(join(path, String(each)), "", { mode: 0o600 });
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; turns++) await new Promise(setImmediate);
  })();
  let told = 0;
  await own({ onProgress: (files) => void (told = files) });
  over.abort();
  await others;
  expect(told).toBe(3001);
  expect(readdirSync(path).every((name) => lstatSync(join(path, name)).gid === fsGroup)).toBe(true);
  // One at least for each time that some of them were done at once.
  expect(turns).toBeGreaterThan(3000 / 64);
});
