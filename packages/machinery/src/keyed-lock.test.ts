import { describe, expect, it } from "vitest";
import { KeyedLock } from "./keyed-lock.ts";

describe("work under a lock", () => {
  it("on the same key runs one after the other, in order", async () => {
    const lock = new KeyedLock();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    await Promise.all([lock.run("a", work("first")), lock.run(["a"], work("second")), lock.run("a", work("third"))]);
    const turns = ["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]);
    expect(seen).toEqual(turns);
  });

  it("on another key does not wait, and what fails lets the next one in", async () => {
    const lock = new KeyedLock();
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const failing = lock.run("a", async () => {
      await first.promise;
      order.push("failing");
      throw new Error("no");
    });
    const next = lock.run("a", async () => void order.push("next"));
    await lock.run("other", async () => void order.push("other"));
    first.resolve();
    await expect(failing).rejects.toThrow("no");
    await next;
    expect(order).toEqual(["other", "failing", "next"]);
  });

  it("on two keys in any order does not wait for ever", async () => {
    const lock = new KeyedLock();
    const done = await Promise.all([
      lock.run(["a", "b"], async () => 1),
      lock.run(["b", "a"], async () => 2),
      lock.run(["a", "a"], async () => 3),
    ]);
    expect(done).toEqual([1, 2, 3]);
  });
});
