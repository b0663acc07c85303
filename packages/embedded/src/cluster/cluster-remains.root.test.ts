import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemExecutor } from "@stowage/csi/host";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pinDevice } from "../node/volumes/csi/loop-pin.ts";
import { endRemains, hasRemains } from "./cluster-remains.ts";

const run = (...words: [string, ...string[]]) => execFileSync(words[0], words.slice(1), { encoding: "utf8" }).trim();
let folder: string;
/** A volume, and where a Pod of a node that is gone had its device. */
let image: string;
let map: string;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cluster-remains-")));
  image = join(folder, "image");
  map = join(folder, "nodes/node-1/dev/pod");
  mkdirSync(join(map, ".."), { recursive: true });
  for (const path of [image, map]) writeFileSync(path, "");
  truncateSync(image, 1 << 20);
  run("mount", "--bind", run("losetup", "--find", "--show", image), map);
  await pinDevice(systemExecutor, map);
});

afterEach(() => rmSync(folder, { recursive: true }));

const left = () => [
  ...readFileSync("/proc/self/mountinfo", "utf8").split("\n"),
  ...run("losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE").split("\n"),
];

describe("a device that a Pod had when its cluster ended (needs root)", () => {
  const gone = () => expect(left().filter((line) => line.includes(folder))).toEqual([]);

  it("is let go with all that holds it", async () => {
    await endRemains({ folder, clock: systemClock, graceMs: 1_000 });
    gone();
  });

  it("is let go as well when the next start finds that nothing runs", async () => {
    expect(await hasRemains({ folder, clock: systemClock })).toBe(false);
    gone();
  });
});
