import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noFaults } from "../fault-points.ts";
import { encodeRecord } from "./record-file.ts";
import { RecordStore } from "./record-store.ts";

interface Sample {
  readonly id: string;
  readonly capacityBytes: bigint;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-records-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, "samples", name);
const openStore = () =>
  RecordStore.open<Sample>({
    kind: "sample",
    directory: join(folder, "samples"),
    brokenDirectory: join(folder, "broken"),
    faultPoint: noFaults,
    logger: silentLogger,
  });

describe("a record", () => {
  it("is there after a restart, with its exact byte count", async () => {
    await (await openStore()).put({ id: "a", capacityBytes: 2n ** 62n + 1n });
    expect((await openStore()).list()).toEqual([{ id: "a", capacityBytes: 2n ** 62n + 1n }]);
  });

  it("that was removed stays away", async () => {
    const store = await openStore();
    await store.put({ id: "a", capacityBytes: 1n });
    await store.remove("a");
    expect((await openStore()).list()).toEqual([]);
  });

  it("that was half written when the process died does not exist", async () => {
    await openStore();
    writeFileSync(file("a.json.0123.tmp"), '{"sch');
    expect((await openStore()).list()).toEqual([]);
    expect(readdirSync(join(folder, "samples"))).toEqual([]);
  });

  const whole = encodeRecord("sample", { id: "a", capacityBytes: 7n });
  it.each([
    ["is empty", ""],
    ["is cut short", whole.slice(0, 40)],
    ["is zeroes", "\0".repeat(64)],
    ["has another number in it", whole.replace('"7"', '"9"')],
    ["describes another one", encodeRecord("sample", { id: "b", capacityBytes: 7n })],
    ["is of another kind", encodeRecord("other", { id: "a", capacityBytes: 7n })],
  ])("whose file %s is kept aside, and the others are read", async (_what, text) => {
    await (await openStore()).put({ id: "z", capacityBytes: 1n });
    writeFileSync(file("a.json"), text);
    for (const store of [await openStore(), await openStore()]) {
      expect(store.list().map(({ id }) => id)).toEqual(["z"]);
      expect([...store.broken().keys()]).toEqual(["a"]);
    }
    expect(readFileSync(join(folder, "broken", "sample-a.json"), "utf8")).toBe(text);
  });

  it("of a newer version stops the driver rather than being taken for damaged", async () => {
    await openStore();
    writeFileSync(file("a.json"), whole.replace('"schema":1', '"schema":2'));
    await expect(openStore()).rejects.toMatchObject({ code: "LOCAL_STATE_NEWER" });
    expect(readdirSync(join(folder, "samples"))).toEqual(["a.json"]);
  });
});
