import { describe, expect, it } from "vitest";
import { KeyedLock } from "./keyed-lock.ts";

describe("operations under a lock", () => {
  it("on the same key run one after the other, in order", async () => {
    const lock = new KeyedLock();
    const seen: string[] = [];
    const operation = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    await Promise.all([lock.run(["a"], operation("first")), lock.run(["a"], operation("second"))]);
    expect(seen).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  it("on two keys in any order do not wait for each other forever", async () => {
    const lock = new KeyedLock();
    const done = await Promise.all([
      lock.run(["a", "b"], async () => 1),
      lock.run(["b", "a"], async () => 2),
      lock.run(["a", "a"], async () => 3),
    ]);
    expect(done).toEqual([1, 2, 3]);
  });

  it("let the next one in after a failure", async () => {
    const lock = new KeyedLock();
    await expect(lock.run(["a"], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await lock.run(["a"], async () => "in")).toBe("in");
  });
});
