import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
