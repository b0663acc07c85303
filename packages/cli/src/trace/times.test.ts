import { expect, it } from "vitest";
import { offsetText, spanText } from "./times.ts";

it.for([
  [0, "0ms"],
  [999, "999ms"],
  [1000, "1s"],
  [59_990, "59.9s"],
  [65_000, "1m05s"],
  [7_800_000, "2h10m"],
  [273_600_000, "3d04h"],
] as const)("%d milliseconds are %s", ([spanMs, text]) => {
  expect(spanText(spanMs)).toBe(text);
});

it("shows no more of a time than is known", () => {
  expect(offsetText({ atMs: 3250, isExact: true }, 1000)).toBe("+2.250s");
  expect(offsetText({ atMs: 3000, isExact: false }, 1000)).toBe("+2s");
  expect(offsetText({ atMs: 500, isExact: true }, 1000)).toBe("-0.500s");
});
