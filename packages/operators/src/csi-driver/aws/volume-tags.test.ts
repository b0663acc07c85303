import type { PersistentVolume } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, test } from "vitest";
import { TagRetries } from "./tag-retries.ts";
import { accessPointOf, desiredBatches, tagsHash, untaggedVolume } from "./volume-tags.ts";

describe("the hash of tags", () => {
  it("is that of the originals, whatever the order of the tags", () => {
    // `printf 'a=1;b=2;' | sha256sum`
    const expected = "0eae6b9953f7b7b282d0286ebef3d9944ef4f96b3dacbf22f1b1c615ac5d4b2e";
    const tags = [
      { key: "b", value: "2" },
      { key: "a", value: "1" },
    ];
    expect(tagsHash(tags)).toBe(expected);
    expect(tagsHash(tags.toReversed())).toBe(expected);
  });
});

describe("volumes to be tagged", () => {
  const choice = { driverName: "efs.csi.aws.com", annotation: "hash", idOf: accessPointOf };
  const volume = (driver: string, volumeHandle: string, annotations?: Record<string, string>): PersistentVolume => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "pv", annotations },
    spec: { csi: { driver, volumeHandle } },
  });
  const own = { name: "pv", id: "fsap-2" };

  test.each<[string, PersistentVolume, unknown[]]>([
    ["one without a mark", volume("efs.csi.aws.com", "fs-1::fsap-2"), [own]],
    ["one with another mark", volume("efs.csi.aws.com", "fs-1::fsap-2", { hash: "old" }), [own]],
    ["one that has them", volume("efs.csi.aws.com", "fs-1::fsap-2", { hash: "new" }), []],
    ["one of another driver", volume("ebs.csi.aws.com", "vol-1"), []],
    ["a whole file system", volume("efs.csi.aws.com", "fs-1"), []],
    ["a folder of one", volume("efs.csi.aws.com", "fs-1:/folder"), []],
    ["a folder behind an access point", volume("efs.csi.aws.com", "fs-1:/folder:fsap-2"), []],
    ["no volume of CSI", { ...volume("", ""), spec: {} }, []],
  ])("%s", (_case, object, expected) => {
    expect(untaggedVolume(object, choice, "new")).toEqual(expected);
  });

  it("go in batches, but for those that were told apart, and none before its time", () => {
    const volumes = ["a", "b", "c", "d", "e"].map((name) => ({ name, id: `vol-${name}` }));
    const batches = desiredBatches(volumes, {
      batchSize: 2,
      isDue: (name) => name !== "d",
      isAlone: (name) => name === "b",
    });
    expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([["a", "c"], ["e"], ["b"]]);
  });
});

describe("volumes that could not be tagged", () => {
  it("wait ten seconds, then twice as long each time, and at most so long", async () => {
    const clock = new ManualClock();
    const retries = new TagRetries(clock, 35_000);
    const waits: (number | undefined)[] = [];
    for (let time = 0; time < 4; time++) {
      retries.failed("a", false);
      waits.push(retries.nextInMs());
      expect(retries.isDue("a")).toBe(false);
      await clock.advance(retries.nextInMs() ?? 0);
      expect(retries.isDue("a")).toBe(true);
    }
    expect(waits).toEqual([10_000, 20_000, 35_000, 35_000]);
  });

  it("begin anew when they are told apart from the others of their batch", async () => {
    const clock = new ManualClock();
    const retries = new TagRetries(clock, 3_600_000);
    retries.failed("a", false);
    retries.failed("a", false);
    retries.failed("a", true);
    expect([retries.isAlone("a"), retries.nextInMs()]).toEqual([true, 10_000]);
  });

  it("are forgotten when there is nothing to be tagged", () => {
    const retries = new TagRetries(new ManualClock(), 3_600_000);
    retries.failed("a", true);
    retries.rest("b", 60_000);
    retries.keepOnly(new Set(["b"]));
    expect([retries.isAlone("a"), retries.nextInMs()]).toEqual([false, 60_000]);
    retries.forget("b");
    expect(retries.nextInMs()).toBeUndefined();
  });
});
