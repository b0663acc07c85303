import { execFileSync } from "node:child_process";
import {
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { fileName, GatherFolder } from "./gather-folder.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gather-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const { signal } = new AbortController();

describe("the folder of what is gathered", () => {
  it("is made, or may be empty, and counts what is written", async () => {
    const folder = await GatherFolder.create(join(root, "new"));
    await folder.write(["a", "b.yaml"], "12345");
    await folder.append(["a", "events.yaml"], "1");
    await folder.append(["a", "events.yaml"], "2");
    expect(await folder.writeStream(["a", "log"], async () => Readable.from(["12", "3"]), signal)).toBe(3);
    expect(readFileSync(join(root, "new/a/events.yaml"), "utf8")).toBe("12");
    expect([folder.files, folder.bytes]).toEqual([3, 10n]);
  });

  it("must not hold what is of another time", async () => {
    writeFileSync(join(root, "old"), "");
    await expect(GatherFolder.create(root)).rejects.toMatchObject({ code: "GATHER_FOLDER_UNUSABLE" });
  });

  it("has nothing of a stream that breaks, and no empty logs", async () => {
    const folder = await GatherFolder.create(join(root, "new"));
    const broken = Readable.from(
      (async function* () {
        yield "half";
        throw new Error("cut off");
      })(),
    );
    await expect(folder.writeStream(["log"], async () => broken, signal)).rejects.toThrow("cut off");
    expect(await folder.writeStream(["log"], async () => Readable.from([]), signal)).toBe(0);
    expect(await folder.writeStream(["log"], async () => undefined, signal)).toBe(0);
    expect(() => readFileSync(join(root, "new/log"))).toThrow("ENOENT");
    expect(folder.files).toBe(0);
  });

  it("removes the file of a stream that breaks only when it is closed", async () => {
    const folder = await GatherFolder.create(join(root, "new"));
    const [place, reader] = [join(root, "new/log"), join(root, "reader")];
    // Opening it takes until somebody reads.
    execFileSync("sh", ["-c", 'mkfifo "$0"', place]);
    linkSync(place, reader);
    const broken = Promise.withResolvers<void>();
    const halves = (async function* () {
      yield "half";
      broken.resolve();
      throw new Error("cut off");
    })();
    const failure = folder.writeStream(["log"], async () => halves, signal).catch((error: unknown) => error);
    await broken.promise;
    // Far longer than a removal takes that waits for nothing.
    for (let times = 0; times < 50; times++) await stat(root);
    const wasThere = existsSync(place);
    await using handle = await open(reader, constants.O_RDONLY | constants.O_NONBLOCK);
    expect(await failure).toMatchObject({ message: "cut off" });
    expect([wasThere, existsSync(place)]).toEqual([true, false]);
    expect((await handle.read()).bytesRead).toBe(0);
  });

  it("says why a stream is not written, whether there is no file for it or it is too late", async () => {
    const folder = await GatherFolder.create(join(root, "new"));
    const open = async () => Readable.from(["all"]);
    mkdirSync(join(root, "new/log.d"));
    await expect(folder.writeStream(["log.d"], open, signal)).rejects.toThrow("EISDIR");
    await expect(folder.writeStream(["log"], open, AbortSignal.abort())).rejects.toThrow("aborted");
    expect(readdirSync(join(root, "new"))).toEqual(["log.d"]);
  });

  it("has the former text about itself until another is whole, and does not count it", async () => {
    const folder = await GatherFolder.create(join(root, "new"));
    await folder.replace("summary.txt", "former");
    await folder.replace("summary.txt", "latter");
    expect(readFileSync(join(root, "new/summary.txt"), "utf8")).toBe("latter");
    mkdirSync(join(root, "new/summary.txt.new"));
    await expect(folder.replace("summary.txt", "never")).rejects.toThrow("EISDIR");
    expect(readFileSync(join(root, "new/summary.txt"), "utf8")).toBe("latter");
    expect([folder.files, folder.bytes]).toEqual([0, 0n]);
  });
});

describe("the name of a file", () => {
  test.each([
    ["system:node.yaml", "system:node.yaml"],
    ["../../etc", "__.._etc"],
    ["..", "_"],
    ["", "_"],
  ])("is that of the object, and never leads elsewhere: %j", (name, expected) => {
    expect(fileName(name)).toBe(expected);
  });

  it("that would be too long is cut, and still tells objects apart", () => {
    const long = "a".repeat(253);
    expect(fileName(`${long}.yaml`).length).toBeLessThan(255);
    expect(fileName(`${long}.yaml`)).toMatch(/\.yaml$/u);
    expect(fileName(`${long}b.yaml`)).not.toBe(fileName(`${long}c.yaml`));
  });
});
