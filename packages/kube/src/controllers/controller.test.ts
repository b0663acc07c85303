import { type ConfigMap, type Logger, type SyncOutcome, TerminalError } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it, test } from "vitest";
import { FakeInformer } from "../testing/fake-informer.ts";
import { type ControllerSpec, createController } from "./controller.ts";
import type { WatchFilter } from "./queue-feed.ts";

/** A controller at work, which notes when it synced what. */
function controllerWith(sync: ControllerSpec["sync"], spec: Partial<ControllerSpec> = {}, signal?: AbortSignal) {
  const clock = new ManualClock();
  const log: string[] = [];
  const note = (level: string) => (_about: unknown, message: string) => void log.push(`${level} ${message}`);
  const logger = {
    debug: note("debug"),
    info: note("info"),
    warn: note("warn"),
    error: note("error"),
  } as unknown as Logger;
  const syncs: string[] = [];
  const stop = new AbortController();
  const controller = createController(
    { clock, logger },
    {
      name: "test",
      workers: 2,
      backoff: { initialMs: 100, maximumMs: 400 },
      ...spec,
      sync(key, context) {
        syncs.push(`${key}@${clock.monotonicMs()}#${context.failures}`);
        return sync(key, context);
      },
    },
  );
  return { clock, log, syncs, stop, controller, running: controller.run(signal ?? stop.signal) };
}

const fail = (error: Error) => async (): Promise<SyncOutcome> => {
  throw error;
};

describe("what a sync ends with", () => {
  test.each<[string, ControllerSpec["sync"], string[], string[]]>([
    ["success: not again", async () => undefined, ["a@0#0"], []],
    [
      "a time: again after that, without counting as a failure",
      async () => ({ requeueAfterMs: 300 }),
      ["a@0#0", "a@300#0", "a@600#0", "a@900#0"],
      [],
    ],
    [
      "a retry: again later and later, and nothing in the log",
      async () => ({ retry: true }),
      ["a@0#0", "a@100#1", "a@300#2", "a@700#3"],
      [],
    ],
    [
      "an error: again later and later, each time in the log",
      fail(new Error("no")),
      ["a@0#0", "a@100#1", "a@300#2", "a@700#3"],
      Array.from({ length: 4 }, () => "warn failed and will be tried again"),
    ],
    [
      "a terminal error: not again",
      fail(new TerminalError("never")),
      ["a@0#0"],
      ["error failed for good; nothing is tried until something changes"],
    ],
  ])("%s", async (_, sync, syncs, log) => {
    const world = controllerWith(sync);
    world.controller.queue.add("a");
    await world.clock.advance(1000);
    world.stop.abort();
    await world.running;
    expect(world.syncs).toEqual(syncs);
    expect(world.log).toEqual(log);
  });

  it("begins to count anew after a success", async () => {
    const outcomes = [new Error("1"), new Error("2"), undefined, new Error("3")];
    const world = controllerWith(async () => {
      const outcome = outcomes.shift();
      if (outcome !== undefined) throw outcome;
    });
    world.controller.queue.add("a");
    await world.clock.advance(500);
    world.controller.queue.add("a");
    await world.clock.advance(100);
    await settled();
    expect(world.syncs).toEqual(["a@0#0", "a@100#1", "a@300#2", "a@500#0", "a@600#1"]);
    world.stop.abort();
    await world.running;
  });
});

describe("a controller that is told to stop", () => {
  it("finishes what is under way, begins nothing, and tries nothing again", async () => {
    const gate = Promise.withResolvers<void>();
    const world = controllerWith(
      async (_key, { signal }) => {
        await gate.promise;
        if (signal.aborted) throw new Error("cut short");
      },
      { workers: 1 },
    );
    world.controller.queue.add("a");
    world.controller.queue.add("b");
    await settled();
    world.stop.abort();
    let hasEnded = false;
    void world.running.then(() => {
      hasEnded = true;
    });
    await settled();
    expect(hasEnded).toBe(false);
    gate.resolve();
    await world.running;
    expect(world.syncs).toEqual(["a@0#0"]);
    expect(world.log).toEqual(["debug stopped in the middle"]);
    expect(world.clock.sleeping).toBe(0);
  });

  it("before it began does nothing", async () => {
    const world = controllerWith(async () => {}, { resyncMs: 10 }, AbortSignal.abort());
    world.controller.queue.add("a");
    await world.running;
    expect(world.syncs).toEqual([]);
    expect(world.clock.sleeping).toBe(0);
  });

  it("works on as many keys at once as it has workers", async () => {
    let atOnce = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const world = controllerWith(
      async () => {
        most = Math.max(most, ++atOnce);
        await gate.promise;
        atOnce--;
      },
      { workers: 3 },
    );
    for (const key of "abcdefgh") world.controller.queue.add(key);
    await settled();
    expect(most).toBe(3);
    gate.resolve();
    await settled();
    world.stop.abort();
    await world.running;
    expect(world.syncs).toHaveLength(8);
    expect(most).toBe(3);
  });
});

describe("what a controller watches", () => {
  const keysOf = (object: ConfigMap) => Object.keys(object.data ?? {});

  function watching(makeKeys?: typeof keysOf, filter?: WatchFilter<ConfigMap>) {
    const informer = new FakeInformer();
    const world = controllerWith(async () => {}, { workers: 1, resyncMs: 1000 });
    world.controller.watch(informer, makeKeys, filter);
    const keys = async () => {
      await settled();
      return world.syncs.splice(0).map((each) => each.replace(/@.*/u, ""));
    };
    return { informer, keys, ...world };
  }

  it("becomes its own key, whatever happens to it", async () => {
    const { informer, keys } = watching();
    informer.set("a");
    expect(await keys()).toEqual(["a"]);
    informer.set("a", { x: "1" });
    expect(await keys()).toEqual(["a"]);
    informer.delete("a");
    expect(await keys()).toEqual(["a"]);
  });

  it("becomes the keys that are made of it, before and after a change", async () => {
    const { informer, keys } = watching(keysOf);
    informer.set("a", { one: "", two: "" });
    expect(await keys()).toEqual(["one", "two"]);
    informer.set("a", { two: "", three: "" });
    expect(await keys()).toEqual(["one", "two", "three"]);
    informer.delete("a");
    expect(await keys()).toEqual(["two", "three"]);
  });

  it("becomes nothing when the update is no news, but additions, deletions and resyncs always count", async () => {
    const { informer, keys } = watching(undefined, { isNews: () => false });
    informer.set("a");
    expect(await keys()).toEqual(["a"]);
    informer.set("a", { x: "1" });
    expect(await keys()).toEqual([]);
    informer.resync();
    expect(await keys()).toEqual(["a"]);
    informer.delete("a");
    expect(await keys()).toEqual(["a"]);
  });

  it("gives way, when it was there from the beginning, to what changes", async () => {
    const informer = new FakeInformer();
    const gate = Promise.withResolvers<void>();
    const world = controllerWith(() => gate.promise, { workers: 1 });
    world.controller.watch(informer, (object) => [object.metadata.name ?? ""]);
    world.controller.queue.add("first");
    await settled();
    informer.set("old", {}, true);
    informer.set("new");
    gate.resolve();
    await settled();
    expect(world.syncs.map((each) => each.replace(/@.*/u, ""))).toEqual(["first", "new", "old"]);
  });

  it("is looked at again regularly, until the controller stops", async () => {
    const { informer, keys, clock, stop, running } = watching(keysOf);
    informer.set("a", { one: "" });
    expect(await keys()).toEqual(["one"]);
    await clock.advance(999);
    expect(await keys()).toEqual([]);
    await clock.advance(1001);
    expect(await keys()).toEqual(["one", "one"]);
    stop.abort();
    await running;
    expect(clock.sleeping).toBe(0);
  });
});
