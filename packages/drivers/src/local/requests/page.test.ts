import { describe, expect, it } from "vitest";
import { pageOf } from "./page.ts";

const all = ["a", "b", "c"].map((id) => ({ id }));

describe("a page", () => {
  it("leads to the next until all were given", () => {
    const first = pageOf(all, { startingToken: "", maxEntries: 2 });
    expect(first.entries.map(({ id }) => id)).toEqual(["a", "b"]);
    const second = pageOf(all, { startingToken: first.nextToken, maxEntries: 2 });
    expect(second).toEqual({ entries: [{ id: "c" }], nextToken: "" });
  });

  it("goes on after what has been deleted since", () => {
    const { nextToken } = pageOf(all, { startingToken: "", maxEntries: 2 });
    const rest = pageOf([{ id: "a" }, { id: "c" }], { startingToken: nextToken, maxEntries: 0 });
    expect(rest.entries).toEqual([{ id: "c" }]);
  });

  it.each([[all], [[]]])("is refused for a token of someone else's", (entries) => {
    expect(() => pageOf(entries, { startingToken: "4", maxEntries: 0 })).toThrow(
      expect.objectContaining({ grpcCode: "ABORTED" }),
    );
  });
});
