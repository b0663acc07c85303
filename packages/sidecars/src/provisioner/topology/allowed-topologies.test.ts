import { expect, test } from "vitest";
import { flattenAllowedTopologies } from "./allowed-topologies.ts";
import { segmentsOf } from "./topology-term.ts";

const places = (...terms: Parameters<typeof flattenAllowedTopologies>[0]) =>
  flattenAllowedTopologies(terms).map(segmentsOf);
const zones = (...values: string[]) => ({ key: "zone", values });
const racks = (...values: string[]) => ({ key: "rack", values });

test("every combination of the values of one entry is a place", () => {
  expect(places({ matchLabelExpressions: [zones("a", "b"), racks("1", "2")] })).toEqual([
    { zone: "a", rack: "1" },
    { zone: "a", rack: "2" },
    { zone: "b", rack: "1" },
    { zone: "b", rack: "2" },
  ]);
});

test("entries add to each other", () => {
  expect(places({ matchLabelExpressions: [zones("a")] }, { matchLabelExpressions: [zones("b"), racks("1")] })).toEqual([
    { zone: "a" },
    { zone: "b", rack: "1" },
  ]);
});

test.each([[[]], [[{}]], [[{ matchLabelExpressions: [] }]], [[{ matchLabelExpressions: [zones()] }]]])(
  "%j allows no place in particular",
  (terms) => {
    expect(places(...terms)).toEqual([]);
  },
);
