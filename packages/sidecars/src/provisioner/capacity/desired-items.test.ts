import type { CSIStorageCapacity, StorageClass } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { type Segments, type TopologyTerm, termKey, termOf } from "../topology/index.ts";
import { itemOfKey, itemOfObject, keyOfItem } from "./capacity-item.ts";
import { DesiredItems } from "./desired-items.ts";
import { segmentsOfNodes } from "./driver-segments.ts";

const places = [termOf({ zone: "a", rack: "1" }), termOf({ zone: "a", rack: "2" }), termOf({ zone: "b", rack: "1" })];
const storageClass = (name: string, provisioner = "ours") => ({ metadata: { name }, provisioner }) as StorageClass;

function desired(classes: readonly StorageClass[], segments: readonly TopologyTerm[] = places): DesiredItems {
  return new DesiredItems({
    classes: { list: () => [...classes], get: ({ name }) => classes.find(({ metadata }) => metadata.name === name) },
    segments: { list: () => segments, has: (place) => segments.some((each) => termKey(each) === termKey(place)) },
    isTracked: ({ provisioner }) => provisioner === "ours",
  });
}

/** `fast a1`: class, zone and rack. */
function texts(keys: readonly string[]): string[] {
  return keys.map((key) => {
    const { storageClassName, place = [] } = itemOfKey(key);
    const { zone, rack } = Object.fromEntries(place);
    return `${storageClassName} ${zone}${rack}`;
  });
}

const twoClasses = [storageClass("fast"), storageClass("slow"), storageClass("foreign", "theirs")];

describe("which objects there are to be", () => {
  test("one for each class of the driver in each place", () => {
    expect(texts(desired(twoClasses).keys())).toEqual([
      "fast a1",
      "fast a2",
      "fast b1",
      "slow a1",
      "slow a2",
      "slow b1",
    ]);
  });

  test.each([
    ["a class of the driver in a place", { storageClassName: "fast", place: places[0] }, "fast"],
    ["a class that is gone", { storageClassName: "gone", place: places[0] }, undefined],
    ["a class of another driver", { storageClassName: "foreign", place: places[0] }, undefined],
    ["a place that is gone", { storageClassName: "fast", place: termOf({ zone: "c", rack: "1" }) }, undefined],
    ["no place of ours", { storageClassName: "fast", place: undefined }, undefined],
  ])("%s", (_what, item, expected) => {
    expect(desired(twoClasses).classOf(item)?.metadata.name).toBe(expected);
  });

  test.each([
    ["fast", ["fast a1", "fast a2", "fast b1"]],
    ["foreign", []],
    ["gone", []],
  ])("of the class %s", (name, expected) => {
    expect(texts(desired(twoClasses).keysOfClass(name))).toEqual(expected);
  });
});

describe("what a volume that came or went has changed", () => {
  test.each<[string, Segments[], string[]]>([
    ["its place, of every class", [{ zone: "b", rack: "1" }], ["fast b1", "slow b1"]],
    ["all places within a wider one", [{ zone: "a" }], ["fast a1", "fast a2", "slow a1", "slow a2"]],
    ["several places", [{ zone: "b" }, { zone: "a", rack: "2" }], ["fast a2", "fast b1", "slow a2", "slow b1"]],
    ["its class where it can be reached from everywhere", [], ["fast a1", "fast a2", "fast b1"]],
    ["its class where the place says nothing", [{}], ["fast a1", "fast a2", "fast b1"]],
    ["its class where the place is unknown", [{ zone: "z" }], ["fast a1", "fast a2", "fast b1"]],
  ])("%s", (_what, segments, expected) => {
    const touched = desired(twoClasses).keysTouched(
      "fast",
      segments.map((each) => ({ segments: each })),
    );
    expect(texts(touched)).toEqual(expected);
  });
});

describe("the item of an object", () => {
  const object = (nodeTopology: CSIStorageCapacity["nodeTopology"]) =>
    ({ storageClassName: "c", nodeTopology }) as CSIStorageCapacity;

  test("is the one that it was made for, whatever the order of its labels", () => {
    const made = keyOfItem({ storageClassName: "c", place: termOf({ zone: "a", rack: "1" }) });
    expect(keyOfItem(itemOfObject(object({ matchLabels: { rack: "1", zone: "a" } })))).toBe(made);
    expect(keyOfItem(itemOfKey(made))).toBe(made);
  });

  test("is that of every node when its place is empty", () => {
    expect(itemOfObject(object({})).place).toEqual([]);
  });

  test.each([
    ["without a place", undefined],
    ["with expressions", { matchExpressions: [{ key: "zone", operator: "Exists" as const }] }],
  ])("is nobody's %s, which we never write", (_what, nodeTopology) => {
    expect(itemOfObject(object(nodeTopology)).place).toBeUndefined();
  });
});

describe("the places of a driver", () => {
  const nodes = (labels: Record<string, Segments>, keys: Record<string, string[]>) =>
    segmentsOfNodes({
      driverNodes: () => Object.entries(keys).map(([name, each]) => ({ name, keys: each })),
      labelsOf: (name) => labels[name],
    });

  test("are those of its nodes, each once", () => {
    const labels = { n1: { zone: "a", x: "1" }, n2: { zone: "b" }, n3: { zone: "a" }, n4: { zone: "other" } };
    expect(nodes(labels, { n1: ["zone"], n2: ["zone"], n3: ["zone"] })).toEqual([[["zone", "a"]], [["zone", "b"]]]);
  });

  test("are without nodes that are gone, or have not got their labels yet", () => {
    expect(nodes({ n2: {} }, { n1: ["zone"], n2: ["zone"] })).toEqual([]);
  });

  test("are one, everywhere, when the driver does not tell places apart", () => {
    expect(nodes({ n1: { zone: "a" }, n2: {} }, { n1: [], n2: [] })).toEqual([[]]);
  });

  test("are none while the driver runs nowhere", () => {
    expect(nodes({ n1: { zone: "a" } }, {})).toEqual([]);
  });
});
