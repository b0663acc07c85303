import { describe, expect, it } from "vitest";
import { snapshotterDefaults } from "./options.ts";
import { storageName } from "./storage-name.ts";

const uid = "c0bc3671-ca9e-44bc-912d-ec063b3d23b9";

describe("the name in the storage", () => {
  it.each([
    ["is the prefix and the uid", { prefix: "snapshot" }, `snapshot-${uid}`],
    ["is shortened without dashes", { prefix: "s", uuidLength: 10 }, "s-c0bc3671ca"],
    ["may have nothing of the uid", { prefix: "s", uuidLength: 0 }, "s-"],
    ["is whole with the originals' -1", { prefix: "s", uuidLength: -1 }, `s-${uid}`],
  ])("%s", (_what, options, name) => {
    expect(storageName(options, uid, "c")).toBe(name);
  });

  it.each([undefined, ""])("needs a snapshot", (none) => {
    expect(() => storageName({ prefix: "s" }, none, "c")).toThrow("c refers to no snapshot");
  });
});

it("has the defaults of the original", () => {
  expect(snapshotterDefaults).toEqual({
    timeoutMs: 60_000,
    workers: 10,
    resyncMs: 900_000,
    retryInitialMs: 1_000,
    retryMaximumMs: 300_000,
    snapshotNamePrefix: "snapshot",
    groupSnapshotNamePrefix: "groupsnapshot",
    extraCreateMetadata: false,
    hasGroupSnapshots: true,
  });
});
