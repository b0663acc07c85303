import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigMap, Secret } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeAtomically } from "./atomic-files.ts";
import { configMapPayload, secretPayload } from "./file-payload.ts";

const wish = { items: undefined, defaultMode: 0o644, isOptional: false };
const configMap = {
  data: { a: "one" },
  binaryData: { b: Buffer.from([1, 255]).toString("base64") },
} as unknown as ConfigMap;
const secret = { data: { key: Buffer.from("s3cret").toString("base64") } } as unknown as Secret;
const texts = (payload: ReturnType<typeof configMapPayload>) =>
  [...payload].map(([path, { bytes, mode }]) => [path, Buffer.from(bytes).toString("latin1"), mode]);

describe("the files of a volume", () => {
  it("are the keys of a ConfigMap or a Secret", () => {
    expect(texts(configMapPayload(configMap, "c", wish))).toEqual([
      ["a", "one", 0o644],
      ["b", "\u0001ÿ", 0o644],
    ]);
    expect(texts(secretPayload(secret, "s", { ...wish, defaultMode: 0o400 }))).toEqual([["key", "s3cret", 0o400]]);
  });

  it("are those that are asked for, where they are asked for", () => {
    const items = [{ key: "a", path: "deep/er", mode: 0o600 }];
    expect(texts(configMapPayload(configMap, "c", { ...wish, items }))).toEqual([["deep/er", "one", 0o600]]);
  });

  it.each([
    [() => configMapPayload(undefined, "c", wish), 'configmap "c" not found'],
    [() => secretPayload(undefined, "s", wish), 'secret "s" not found'],
    [
      () => configMapPayload(configMap, "c", { ...wish, items: [{ key: "z", path: "z" }] }),
      "configmap references non-existent config key: z",
    ],
    [
      () => secretPayload(secret, "s", { ...wish, items: [{ key: "z", path: "z" }] }),
      "references non-existent secret key: z",
    ],
  ])("must be there unless they are optional", (make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: "VOLUME_SOURCE_MISSING", message }));
  });

  it("may be missing when they are optional", () => {
    const optional = { ...wish, isOptional: true };
    expect(configMapPayload(undefined, "c", optional).size).toBe(0);
    expect(secretPayload(secret, "s", { ...optional, items: [{ key: "z", path: "z" }] }).size).toBe(0);
  });
});

describe("files written at once", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "files-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (files: Readonly<Record<string, string>>, mode = 0o640) =>
    writeAtomically(
      folder,
      new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text), mode }])),
    );
  const shown = () =>
    readdirSync(folder)
      .filter((name) => !name.startsWith(".."))
      .toSorted();
  const read = (path: string) => readFileSync(join(folder, path), "utf8");

  it("are links through one link, with their modes", async () => {
    expect(await write({ a: "1", "deep/er/b": "2" })).toBe(true);
    expect([shown(), read("a"), read("deep/er/b")]).toEqual([["a", "deep"], "1", "2"]);
    expect(readlinkSync(join(folder, "a"))).toBe("..data/a");
    expect(readlinkSync(join(folder, "..data"))).toMatch(/^\.\.\d{4}(_\d\d){5}\.\d+$/);
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o640);
  });

  it("are left alone when nothing changes", async () => {
    await write({ a: "1" });
    const before = readlinkSync(join(folder, "..data"));
    expect(await write({ a: "1" })).toBe(false);
    expect(readlinkSync(join(folder, "..data"))).toBe(before);
  });

  it("change together, and leave nothing behind", async () => {
    await write({ a: "1", b: "1" });
    expect(await write({ a: "2", c: "2" })).toBe(true);
    expect([shown(), read("a"), read("c")]).toEqual([["a", "c"], "2", "2"]);
    expect(readdirSync(folder).filter((name) => name.startsWith(".."))).toHaveLength(2);
    expect(await write({ a: "2", c: "2" }, 0o400)).toBe(true);
  });

  it("are seen when their owners are set, and not taken for others because of that", async () => {
    const payload = new Map([["a", { bytes: Buffer.from("1"), mode: 0o400 }]]);
    let seen: readonly string[] | undefined;
    const onWritten = async () => {
      seen = shown();
      const [stamp = ""] = readdirSync(folder);
      chmodSync(join(folder, stamp, "a"), 0o440);
    };
    expect(await writeAtomically(folder, payload, { onWritten, addedMode: 0o040 })).toBe(true);
    expect([seen, shown()]).toEqual([[], ["a"]]);
    expect(await writeAtomically(folder, payload, { onWritten, addedMode: 0o040 })).toBe(false);
  });

  it("can be written again after an end in the middle", async () => {
    await write({ a: "1" });
    rmSync(join(folder, "a"));
    expect(await write({ a: "1" })).toBe(false);
    expect(read("a")).toBe("1");
    const end = () => Promise.reject(new Error("the end"));
    const payload = new Map([["a", { bytes: Buffer.from("2"), mode: 0o640 }]]);
    await expect(writeAtomically(folder, payload, { onWritten: end })).rejects.toThrow("the end");
    expect(read("a")).toBe("1");
    expect(await write({ a: "3" })).toBe(true);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each(["", "/etc/passwd", "../out", "a/../../out", "..data/a", "n".repeat(256)])(
    "never lead out: %j",
    async (path) => {
      await expect(write({ [path]: "x" })).rejects.toThrow(expect.objectContaining({ code: "VOLUME_SOURCE_MISSING" }));
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
