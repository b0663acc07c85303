import { describe, expect, it } from "vitest";
import { countedIndexes, overlapProblem } from "./job-indexes.ts";

describe("indexes of a Job", () => {
  it.each([
    ["", 0],
    ["3", 1],
    ["0,2-4", 4],
  ])("%j are %i", (text, count) => {
    expect(countedIndexes(text, 5)).toBe(count);
  });

  it.each([
    ["a", 'cannot convert string to integer for index: "a"'],
    ["5", 'too large index: "5"'],
    ["3,1", "non-increasing order, previous: 3, current: 1"],
    ["3-1", "non-increasing order, previous: 3, current: 1"],
  ])("%j are none: %s", (text, problem) => {
    expect(countedIndexes(text, 5)).toBe(problem);
  });

  it("cannot have succeeded and failed, and the first that has is told", () => {
    expect(overlapProblem("0,2-3", "1", 5)).toBeUndefined();
    expect(overlapProblem("0,2-3", "3-4", 5)).toBe("failedIndexes and completedIndexes overlap at index: 3");
  });
});
