import { describe, expect, it } from "vitest";
import { ControllerGroup } from "./controller-group.ts";

function controller() {
  const { promise, reject } = Promise.withResolvers<void>();
  let isStopped = false;
  return {
    fail: reject,
    get isStopped() {
      return isStopped;
    },
    run: (signal: AbortSignal) => {
      const stopped = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          isStopped = true;
          resolve();
        });
      });
      return Promise.race([promise, stopped]);
    },
  };
}

describe("a group of controllers", () => {
  it("ends when all have, also those that began later", async () => {
    const stop = new AbortController();
    const group = new ControllerGroup(stop.signal);
    const [first, second] = [controller(), controller()];
    group.start(first);
    const ended = group.ended();
    group.start(second);
    stop.abort();
    await ended;
    expect([first.isStopped, second.isStopped]).toEqual([true, true]);
  });

  it("ends as a whole with what one of them failed with", async () => {
    const group = new ControllerGroup(new AbortController().signal);
    const [first, second] = [controller(), controller()];
    group.start(first);
    group.start(second);
    const ended = group.ended();
    second.fail(new Error("it never got to know its resource"));
    await expect(ended).rejects.toThrow("it never got to know its resource");
    expect(first.isStopped).toBe(true);
  });
});
