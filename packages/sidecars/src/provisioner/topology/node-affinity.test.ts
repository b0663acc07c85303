import type { VolumeNodeAffinity } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { desiredNodeAffinity, isReachableFrom, placesOf } from "./node-affinity.ts";

const at = (...places: Record<string, string>[]) => places.map((segments) => ({ segments }));

describe("the affinity of a PV", () => {
  test("is one term for each place, with its labels in order", () => {
    expect(desiredNodeAffinity(at({ zone: "a", rack: "1" }, { zone: "b" }))).toEqual({
      required: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: "rack", operator: "In", values: ["1"] },
              { key: "zone", operator: "In", values: ["a"] },
            ],
          },
          { matchExpressions: [{ key: "zone", operator: "In", values: ["b"] }] },
        ],
      },
    });
  });

  test.each([[at()], [at({})]])("is none when the volume is reachable everywhere: %j", (places) => {
    expect(desiredNodeAffinity(places)).toBeUndefined();
  });

  test("passes over a place without labels beside others, which no node would match", () => {
    expect(desiredNodeAffinity(at({}, { zone: "a" }))).toEqual(desiredNodeAffinity(at({ zone: "a" })));
  });

  test("gives the places back that it was made from", () => {
    const places = at({ zone: "a", rack: "1" }, { zone: "b" });
    expect(placesOf(desiredNodeAffinity(places))).toEqual(places);
    expect(placesOf(undefined)).toEqual([]);
  });
});

describe("whether a volume is reachable from a node", () => {
  const inZones = desiredNodeAffinity(at({ zone: "a" }, { zone: "b", rack: "1" }));

  test.each<[string, VolumeNodeAffinity | undefined, Record<string, string> | undefined, boolean]>([
    ["no affinity", undefined, { zone: "c" }, true],
    ["an affinity without requirement", {}, { zone: "c" }, true],
    ["a driver that says nothing of places", inZones, undefined, true],
    ["the first place", inZones, { zone: "a" }, true],
    ["the second place, and more labels", inZones, { zone: "b", rack: "1", host: "x" }, true],
    ["half of the second place", inZones, { zone: "b", rack: "2" }, false],
    ["another place", inZones, { zone: "c" }, false],
    ["a node without labels", inZones, {}, false],
  ])("%s", (_what, affinity, labels, expected) => {
    expect(isReachableFrom(affinity, labels)).toBe(expected);
  });

  const term = (matchExpressions: object[], matchFields: object[] = []): VolumeNodeAffinity =>
    ({ required: { nodeSelectorTerms: [{ matchExpressions, matchFields }] } }) as VolumeNodeAffinity;

  test.each<[string, VolumeNodeAffinity, boolean]>([
    ["NotIn", term([{ key: "zone", operator: "NotIn", values: ["a"] }]), false],
    ["Exists", term([{ key: "zone", operator: "Exists" }]), true],
    ["DoesNotExist", term([{ key: "zone", operator: "DoesNotExist" }]), false],
    ["Gt", term([{ key: "rack", operator: "Gt", values: ["4"] }]), true],
    ["Lt", term([{ key: "rack", operator: "Lt", values: ["4"] }]), false],
    ["an empty term matches nothing", term([]), false],
    ["a term with fields matches nothing", term([], [{ key: "metadata.name", operator: "In", values: ["n"] }]), false],
  ])("others' affinities too: %s", (_what, affinity, expected) => {
    expect(isReachableFrom(affinity, { zone: "a", rack: "5" })).toBe(expected);
  });
});
