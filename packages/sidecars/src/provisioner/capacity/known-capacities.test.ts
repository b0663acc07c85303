import type { Informer } from "@stowage/kube";
import type { CSIStorageCapacity } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, expect, test } from "vitest";
import { KnownCapacities, keyOfObject } from "./known-capacities.ts";

function object(name: string, change: { version?: string; at?: string; capacity?: string } = {}): CSIStorageCapacity {
  const { version = "1", at = "2026-01-01T00:00:00Z", capacity = "1Gi" } = change;
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    metadata: { name, uid: `uid-${name}`, resourceVersion: version, creationTimestamp: at },
    storageClassName: "c",
    nodeTopology: { matchLabels: { zone: "a" } },
    capacity,
  };
}

const key = keyOfObject(object("any"));
let cached: CSIStorageCapacity[];
let clock: ManualClock;
let known: KnownCapacities;
const names = () => known.of(key).map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);

beforeEach(() => {
  cached = [];
  clock = new ManualClock();
  const indexes = new Map<string, (each: CSIStorageCapacity) => readonly string[]>();
  const informer = {
    addIndex: (name: string, valuesOf: (each: CSIStorageCapacity) => readonly string[]) =>
      void indexes.set(name, valuesOf),
    objects: {
      list: () => cached,
      byIndex: (name: string, value: string) => cached.filter((each) => indexes.get(name)?.(each).includes(value)),
    },
  };
  known = new KnownCapacities(informer as unknown as Informer<CSIStorageCapacity>, clock);
});

test("the oldest of several comes first, and is the one to keep", () => {
  cached = [object("young", { at: "2026-01-02T00:00:00Z" }), object("b"), object("a")];
  expect(names()).toEqual(["a@1", "b@1", "young@1"]);
});

test("what was just made counts before the watch brings it", () => {
  known.remember(object("new"));
  expect(names()).toEqual(["new@1"]);
});

test("what was just written counts until the watch brings it or something newer", () => {
  cached = [object("a", { version: "1" })];
  known.remember(object("a", { version: "3" }));
  expect(names()).toEqual(["a@3"]);
  cached = [object("a", { version: "2" })];
  expect(names()).toEqual(["a@3"]);
  cached = [object("a", { version: "4" })];
  expect(names()).toEqual(["a@4"]);
});

test("what the watch brought before the answer came is not older than the answer", () => {
  cached = [object("a", { version: "10" })];
  known.remember(object("a", { version: "9" }));
  expect(names()).toEqual(["a@10"]);
});

test("what was deleted is not known any more, others of the item are", () => {
  known.remember(object("new"));
  known.forget(object("other"));
  expect(names()).toEqual(["new@1"]);
  known.forget(object("new"));
  expect(names()).toEqual([]);
});

test("what the watch does not bring for a minute is not there", async () => {
  known.remember(object("new"));
  await clock.advance(59_999);
  expect(names()).toEqual(["new@1"]);
  await clock.advance(1);
  expect(names()).toEqual([]);
});
