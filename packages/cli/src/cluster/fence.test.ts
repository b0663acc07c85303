import { describe, expect, it } from "vitest";
import { createFence, fenced } from "./fence.ts";

const lost = expect.objectContaining({ code: "LEADERSHIP_LOST" });

describe("a fence", () => {
  it("lets a process act that needs to lead nobody", () => {
    expect(() => createFence().check()).not.toThrow();
  });

  it("asks each time whether the process leads", () => {
    const fence = createFence();
    let leads = true;
    fence.guard(() => leads);
    expect(() => fence.check()).not.toThrow();
    leads = false;
    expect(() => fence.check()).toThrow(lost);
  });
});

describe("a fenced limiter", () => {
  it("refuses a request whose turn comes after leadership has gone", async () => {
    const fence = createFence();
    const turn = Promise.withResolvers<void>();
    const limiter = fenced({ acquire: () => turn.promise }, fence);
    let leads = true;
    fence.guard(() => leads);
    const acquired = limiter.acquire();
    leads = false;
    turn.resolve();
    await expect(acquired).rejects.toEqual(lost);
  });

  it("passes on what the server answered", () => {
    const statuses: (number | undefined)[] = [];
    const limiter = fenced({ acquire: async () => {}, answered: (status) => statuses.push(status) }, createFence());
    limiter.answered?.(429);
    expect(statuses).toEqual([429]);
  });
});
