import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leftOf, mountsBelow, processesOf } from "./stowage-up/machine-state.ts";
import { command, RunningCommand } from "./stowage-up/running-up.ts";
import {
  asNobody,
  asNobodyWithoutNamespaces,
  mayNobodyHaveNamespaces,
  mayNobodyRead,
  NOBODY,
} from "./stowage-up/somebody-else.ts";

// A cluster in the deepest state directory that is allowed, where no socket has a path that the kernel takes.

const LONGEST_STATE_DIR = 473;
/** Above what `up` itself allows. */
const PATIENCE_MS = 600_000;
const place = realpathSync(mkdtempSync(join(tmpdir(), "deep-")));
afterAll(() => rmSync(place, { recursive: true }));

/** A folder that is there, and in which a state directory has the length. */
function deepFolder(name: string): string {
  const start = join(place, name);
  const deep = `${start}${"/deep".repeat(100).slice(0, LONGEST_STATE_DIR - start.length - "r/state".length)}r`;
  mkdirSync(deep, { recursive: true });
  return deep;
}

/** Of the file that the demonstration writes, below a folder. */
function sizesOfLogs(folder: string): number[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === "log")
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
}

const onVolumes = (stateDir: string) => {
  const mounts = mountsBelow(stateDir).filter(({ target }) => target.includes("kubernetes.io~csi"));
  return mounts.flatMap(({ target }) => sizesOfLogs(target));
};
const inDirectories = (stateDir: string) => sizesOfLogs(join(stateDir, "cluster/nodes/node-1/disk/local/contents"));

const hasNobody = mayNobodyRead(command);

const ways = [
  { who: "root", prefix: [], written: onVolumes, canBe: process.getuid?.() === 0 },
  { who: "nobody", prefix: asNobody, written: inDirectories, canBe: hasNobody },
  {
    who: "nobody-plain",
    prefix: asNobodyWithoutNamespaces,
    written: inDirectories,
    canBe: hasNobody && mayNobodyHaveNamespaces(),
  },
];

for (const { who, prefix, written, canBe } of ways) {
  describe.skipIf(!canBe)(`stowage up in a deep folder of ${who}`, () => {
    let stateDir: string;
    const stowage = (...words: string[]) => new RunningCommand([...words, "--state-dir", stateDir], prefix);

    beforeAll(() => {
      const folder = deepFolder(who);
      stateDir = join(folder, "state");
      chmodSync(place, 0o755);
      if (prefix.length > 0) chownSync(folder, NOBODY, NOBODY);
    });
    afterAll(() => stowage("reset").ended());

    it("has a Pod that has written to its volume, and leaves nothing", { timeout: PATIENCE_MS }, async () => {
      expect(Buffer.byteLength(stateDir)).toBe(LONGEST_STATE_DIR);
      const up = stowage("up");
      await up.said("Storage works.");
      expect(written(stateDir).map((bytes) => bytes > 0)).toEqual([true]);
      up.kill("SIGINT");
      expect((await up.ended()).exitCode).toBe(0);
      expect(leftOf(stateDir)).toEqual([]);
      expect((await stowage("reset").ended()).exitCode).toBe(0);
      expect(existsSync(stateDir)).toBe(false);
      expect(readdirSync(dirname(stateDir))).toEqual([]);
      expect([...mountsBelow(stateDir), ...processesOf(stateDir)]).toEqual([]);
    });
  });
}

it("stowage up is refused one folder deeper, before anything is made", async () => {
  const stateDir = join(deepFolder("refused"), "states");
  const { exitCode, stderr } = await new RunningCommand(["up", "--state-dir", stateDir]).ended();
  expect(exitCode).toBe(1);
  expect(stderr).toContain("the path of a database has at most 504 bytes, that of the API server's would have 505");
  expect(existsSync(stateDir)).toBe(false);
});
