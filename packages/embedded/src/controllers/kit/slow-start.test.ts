import { describe, expect, it } from "vitest";
import { slowStart } from "./slow-start.ts";

describe("a slow start", () => {
  it("does everything, in batches that double", async () => {
    const batches: number[] = [];
    let begun = 0;
    const outcome = await slowStart(10, async () => {
      begun++;
      await Promise.resolve();
      if (batches.at(-1) !== begun) batches.push(begun);
    });
    expect(outcome).toEqual({ successes: 10, error: undefined });
    expect(batches).toEqual([1, 3, 7, 10]);
  });

  it("begins nothing after the batch in which something failed", async () => {
    const tried: number[] = [];
    const failure = new Error("quota");
    const outcome = await slowStart(10, async (index) => {
      tried.push(index);
      if (index === 1) throw failure;
    });
    expect(tried).toEqual([0, 1, 2]);
    expect(outcome).toEqual({ successes: 2, error: failure });
  });

  it("of nothing is over at once", async () => {
    expect(await slowStart(0, () => Promise.reject(new Error("never")))).toEqual({ successes: 0, error: undefined });
  });
});
