import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, test } from "vitest";
import { claim, onClaim } from "../../storage/fixtures/storage-objects.ts";
import { node, pod } from "../fixtures/scheduler-objects.ts";
import { isChanged, mayHelp, type News } from "./news.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";

const waiting = (uid: string, priority = 0) => ({ uid, key: `shop/${uid}`, priority });

describe("the queue", () => {
  it("gives the most important first, then the one that has waited longest", async () => {
    const clock = new ManualClock();
    const queue = new SchedulingQueue(clock);
    for (const each of [waiting("a"), waiting("b"), waiting("c", 5)]) {
      queue.offer(each);
      await clock.advance(1);
    }
    expect([queue.take(), queue.take(), queue.take(), queue.take()].map((each) => each?.uid)).toEqual([
      "c",
      "a",
      "b",
      undefined,
    ]);
  });

  it("gives one that is parked only when something may help it", () => {
    const queue = new SchedulingQueue(new ManualClock());
    queue.offer(waiting("a"));
    queue.take();
    queue.park("a", new Set(["NodeResourcesFit"]));
    queue.wake((_, filters) => filters.has("VolumeBinding"));
    expect(queue.take()).toBeUndefined();
    queue.wake((_, filters) => filters.has("NodeResourcesFit"));
    expect(queue.take()?.uid).toBe("a");
  });

  it("gives one that failed a little later each time", async () => {
    const clock = new ManualClock();
    const queue = new SchedulingQueue(clock);
    queue.offer(waiting("a"));
    for (const backoffMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      expect(queue.take()?.uid).toBe("a");
      queue.fail("a");
      await clock.advance(backoffMs - 1);
      expect(queue.take()).toBeUndefined();
      await clock.advance(1);
    }
  });

  it("prefers those that have not just been looked at", async () => {
    const clock = new ManualClock();
    const queue = new SchedulingQueue(clock);
    queue.offer(waiting("again", 10));
    queue.take();
    queue.park("again", new Set());
    queue.wake(() => true);
    queue.offer(waiting("new"));
    expect([queue.take()?.uid, queue.take()?.uid]).toEqual(["new", "again"]);
  });

  it("looks again at what was overlooked for five minutes", async () => {
    const clock = new ManualClock();
    const queue = new SchedulingQueue(clock);
    queue.offer(waiting("a"));
    await queue.whenReady(new AbortController().signal);
    queue.take();
    queue.park("a", new Set(["NodeName"]));
    const ready = queue.whenReady(new AbortController().signal);
    await clock.advance(300_000);
    await ready;
    expect(queue.take()?.uid).toBe("a");
  });

  it("does not give what was removed", () => {
    const queue = new SchedulingQueue(new ManualClock());
    queue.offer(waiting("a"));
    queue.remove("a");
    expect(queue.take()).toBeUndefined();
  });
});

describe("a Pod that found no node", () => {
  const user = pod("user", { cpu: "2", volumes: [onClaim("data")] });
  test.each<[string, News, string, boolean]>([
    ["is helped by a node that is large enough", { what: "node", node: node("n") }, "NodeResourcesFit", true],
    ["is not helped by a smaller one", { what: "node", node: node("n", { cpu: "1" }) }, "NodeResourcesFit", false],
    ["is helped by a Pod that goes, for want of room", { what: "pod gone" }, "NodeResourcesFit", true],
    ["is not helped by it, for want of a label", { what: "pod gone" }, "NodeAffinity", false],
    ["is helped by one that comes, to be near it", { what: "pod placed" }, "InterPodAffinity", true],
    ["is helped by its claim", { what: "claim", claim: claim("data") }, "VolumeBinding", true],
    ["is not helped by another's", { what: "claim", claim: claim("other") }, "VolumeBinding", false],
    ["is helped by a volume", { what: "volume" }, "VolumeBinding", true],
  ])("%s", (_, news, filter, helps) => {
    expect(mayHelp(news, user, new Set([filter]))).toBe(helps);
  });

  it("is not helped by a node that only says that it is still there", () => {
    const before = node("n");
    const beat = { ...before, status: { ...before.status, conditions: [{ type: "Ready", status: "True" }] } };
    expect(isChanged(beat as typeof before, before)).toBe(false);
    expect(isChanged(node("n", { cpu: "9" }), before)).toBe(true);
  });
});
