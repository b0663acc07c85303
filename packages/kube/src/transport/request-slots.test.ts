import { describe, expect, it } from "vitest";
import { RequestSlots } from "./request-slots.ts";

function slotsOf(count: number) {
  const slots = new RequestSlots(count);
  const passed: string[] = [];
  const take = async (name: string, signal?: AbortSignal) => {
    const giveBack = await slots.take(signal);
    passed.push(name);
    return giveBack;
  };
  return { take, passed };
}

describe("the slots of requests", () => {
  it("let as many pass as there are, and the next when one is given back, first come first served", async () => {
    const { take, passed } = slotsOf(2);
    const giveBack = await take("a");
    await take("b");
    const waiting = [take("c"), take("d")];
    await Promise.resolve();
    expect(passed).toEqual(["a", "b"]);
    giveBack();
    const giveBackAgain = await waiting[0];
    expect(passed).toEqual(["a", "b", "c"]);
    giveBackAgain?.();
    await waiting[1];
    expect(passed).toEqual(["a", "b", "c", "d"]);
  });

  it("forget one that gives up waiting, and pass its turn on", async () => {
    const { take, passed } = slotsOf(1);
    const giveBack = await take("a");
    const impatient = new AbortController();
    const gaveUp = take("b", impatient.signal);
    const patient = take("c");
    impatient.abort(new Error("no time"));
    await expect(gaveUp).rejects.toThrow("no time");
    giveBack();
    await patient;
    expect(passed).toEqual(["a", "c"]);
  });

  it("let nobody wait who has given up before", async () => {
    const { take } = slotsOf(1);
    await expect(take("a", AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    await take("b");
  });
});
