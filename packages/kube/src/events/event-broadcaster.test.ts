import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { createEventBroadcaster, type EventBroadcasterDeps } from "./event-broadcaster.ts";
import { EventStore, statusError } from "./fixtures/event-store.ts";
import { recordingLogger } from "./fixtures/recording-logger.ts";
import { MemoryEventRecorder } from "./memory-event-recorder.ts";

const claim = (name = "data"): KubernetesObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace: "shop", uid: `uid-${name}`, resourceVersion: "1" },
});

const unreachable = () => new StowageError("CONNECTION_REFUSED", "POST https://api.test:6443: nothing listens there");

/** A broadcaster and everything around it; it runs unless the test wants to start it itself. */
function broadcasting({ isStarted = true, ...more }: Partial<EventBroadcasterDeps> & { isStarted?: boolean } = {}) {
  const store = new EventStore();
  const clock = new ManualClock();
  const logger = recordingLogger();
  const broadcaster = createEventBroadcaster({ client: store.client, clock, logger, random: () => 1, ...more });
  const recorder = broadcaster.recorder({ component: "provisioner", host: "host-1" });
  const stop = new AbortController();
  const start = () => broadcaster.run(stop.signal);
  const fail = (message = "no space left", name = "data") =>
    recorder.event(claim(name), "Warning", "ProvisioningFailed", message);
  return { store, clock, logger, broadcaster, recorder, stop, start, fail, running: isStarted ? start() : undefined };
}

describe("a recorded event", () => {
  it("reaches the server in the background", async () => {
    const { store, fail } = broadcasting();
    fail();
    expect(store.requests).toEqual([]);
    await settled();
    expect(store.only).toMatchObject({
      involvedObject: { name: "data", uid: "uid-data", resourceVersion: "1", apiVersion: "v1" },
      source: { component: "provisioner", host: "host-1" },
      count: 1,
    });
  });

  it("waits for the broadcaster to run", async () => {
    const { store, fail, start } = broadcasting({ isStarted: false });
    fail();
    await settled();
    expect(store.requests).toEqual([]);
    void start();
    await settled();
    expect(store.only.count).toBe(1);
  });

  it("is held back at the start where that is asked for, but not when somebody wants it sent", async () => {
    const { store, fail, clock } = broadcasting({ holdMs: 2_000 });
    fail();
    await clock.advance(1_999);
    await settled();
    expect(store.requests).toEqual([]);
    await clock.advance(1);
    await settled();
    expect(store.only.count).toBe(1);
    const other = broadcasting({ holdMs: 2_000 });
    other.fail();
    expect(await other.broadcaster.flush(100)).toBe(true);
    expect(other.store.only.count).toBe(1);
  });

  it("is sent after those recorded before it", async () => {
    const { store, fail } = broadcasting();
    for (const message of ["one", "two", "three"]) fail(message);
    await settled();
    expect(store.list.map(({ message }) => message)).toEqual(["one", "two", "three"]);
  });

  it("does not hold up those of other objects, while those of its own wait for it", async () => {
    const { store, clock, fail, broadcaster } = broadcasting();
    store.failures.push(unreachable());
    fail("one", "slow");
    fail("two", "slow");
    fail("one", "quick");
    let isFlushed = false;
    const flushed = broadcaster.flush(60_000).then(() => (isFlushed = true));
    await settled();
    expect(store.list.map(({ involvedObject, message }) => [involvedObject.name, message])).toEqual([["quick", "one"]]);
    expect(isFlushed).toBe(false);
    await clock.advance(1_000);
    const ofSlow = store.list.filter(({ involvedObject }) => involvedObject.name === "slow");
    expect(ofSlow.map(({ message }) => message)).toEqual(["one", "two"]);
    await flushed;
  });

  it("never throws into the caller, whatever it is about", () => {
    const { recorder, logger } = broadcasting({ isStarted: false });
    recorder.event(undefined as unknown as KubernetesObject, "Normal", "Odd", "no object at all");
    expect(logger.lines).toEqual(["error: an event could not be recorded"]);
  });

  it("is told by each recorder under its own name", async () => {
    const { store, broadcaster } = broadcasting();
    broadcaster.recorder({ component: "resizer" }).event(claim(), "Normal", "Resizing", "to 2Gi");
    await settled();
    expect(store.only).toMatchObject({ reportingComponent: "resizer", reportingInstance: "" });
  });
});

describe("an event that repeats", () => {
  it("is counted by a patch of the same Event", async () => {
    const { store, fail, clock } = broadcasting();
    fail();
    await clock.advance(60_000);
    fail();
    await settled();
    expect(store.requests.map((request) => request.split(" ")[0])).toEqual(["create", "patch"]);
    expect(store.only).toMatchObject({
      count: 2,
      firstTimestamp: "2026-01-31T15:04:05Z",
      lastTimestamp: "2026-01-31T15:05:05Z",
    });
  });

  it("is created anew when it was deleted meanwhile, with its count", async () => {
    const { store, fail } = broadcasting();
    fail();
    await settled();
    store.events.clear();
    fail();
    await settled();
    expect(store.requests.map((request) => request.split(" ")[0])).toEqual(["create", "patch", "create"]);
    expect(store.only.count).toBe(2);
  });

  it("takes one request however often it repeats while it waits", async () => {
    const { store, fail, start } = broadcasting({ isStarted: false });
    for (let n = 0; n < 20; n++) fail();
    fail("another");
    void start();
    await settled();
    expect(store.requests).toHaveLength(2);
    expect(store.list.map(({ count }) => count)).toEqual([20, 1]);
  });

  it("shows the latest message when it is combined from similar ones", async () => {
    const { store, fail } = broadcasting();
    for (let n = 1; n <= 13; n++) {
      fail(`attempt ${n}`);
      await settled();
    }
    expect(store.list).toHaveLength(11);
    expect(store.list.at(-1)).toMatchObject({ message: "(combined from similar events): attempt 13", count: 3 });
  });
});

describe("a server that does not take an event", () => {
  it.each([
    ["that cannot be reached", unreachable()],
    ["with an internal error", statusError(500, "InternalError")],
    ["that is busy", statusError(429, "TooManyRequests")],
  ])("%s is tried again", async (_, failure) => {
    const { store, fail, clock, logger } = broadcasting();
    store.failures.push(failure, failure);
    fail();
    fail("another");
    await clock.advance(1_000);
    expect(store.requests).toHaveLength(2);
    await clock.advance(2_000);
    expect(store.list.map(({ message }) => message)).toEqual(["no space left", "another"]);
    expect(logger.lines).toEqual([]);
  });

  it("after a dozen tries is not asked again for this event, but for the next", async () => {
    const { store, fail, clock, logger } = broadcasting();
    store.failures.push(...Array.from({ length: 12 }, unreachable));
    fail("lost");
    fail("another");
    await clock.advance(10 * 60_000);
    expect(store.only.message).toBe("another");
    expect(logger.lines).toEqual(["warn: an event is dropped: it could not be sent"]);
  });

  it.each([
    ["refuses it", statusError(422, "Invalid"), "warn: an event is dropped: it was refused"],
    ["forbids it", statusError(403, "Forbidden"), "warn: an event is dropped: it was refused"],
    [
      "deletes its namespace",
      statusError(403, "Forbidden", [{ reason: "NamespaceTerminating" }]),
      "info: an event is dropped: its namespace is being deleted",
    ],
    ["has no such namespace", statusError(404, "NotFound"), "warn: an event is dropped: it was refused"],
  ])("because it %s is not asked again", async (_, failure, line) => {
    const { store, fail, logger, clock } = broadcasting();
    store.failures.push(failure);
    fail("lost");
    fail("another");
    await clock.advance(60_000);
    expect(store.only.message).toBe("another");
    expect(logger.lines).toEqual([line]);
  });

  it("may have taken it nevertheless, and then gets no second one", async () => {
    const { store, fail, clock } = broadcasting();
    store.lostAnswers.push(new StowageError("CONNECTION_RESET", "the answer was lost"));
    fail();
    await clock.advance(1_000);
    expect(store.requests.map((request) => request.split(" ")[0])).toEqual(["create", "create", "patch"]);
    expect(store.only.count).toBe(1);
  });

  it("for long makes the queue full; the newest are dropped, with one line and the number", async () => {
    const { store, fail, clock, logger } = broadcasting({ queueLimit: 2 });
    store.failures.push(unreachable());
    fail("one");
    await settled();
    for (const message of ["two", "three", "four", "five"]) fail(message);
    await clock.advance(1_000);
    fail("six");
    await settled();
    expect(store.list.map(({ message }) => message)).toEqual(["one", "two", "three", "six"]);
    expect(logger.lines).toEqual([
      "warn: events are dropped: too many wait to be sent",
      "warn: events are accepted again; so many were dropped (2)",
    ]);
  });

  it("is spared an object's events when there are too many", async () => {
    const { store, fail, logger } = broadcasting();
    for (let n = 0; n < 100; n++) {
      fail();
      await settled();
    }
    expect(store.requests).toHaveLength(25);
    expect(logger.debugLines).toHaveLength(75);
    expect(logger.lines).toEqual([]);
  });
});

describe("flushing", () => {
  it("waits for what was recorded before, not for what comes after", async () => {
    const { store, fail, broadcaster } = broadcasting();
    store.unwanted.set("after", unreachable());
    fail("before");
    const flushed = broadcaster.flush(60_000);
    fail("after");
    expect(await flushed).toBe(true);
    expect(store.only.message).toBe("before");
  });

  it("with nothing to send is done at once", async () => {
    const { broadcaster, clock } = broadcasting();
    expect(await broadcaster.flush(1_000)).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it("gives up when its time is over", async () => {
    const { store, fail, clock, broadcaster } = broadcasting();
    store.failures.push(...Array.from({ length: 5 }, unreachable));
    fail();
    const flushed = broadcaster.flush(2_000);
    await clock.advance(2_000);
    expect(await flushed).toBe(false);
  });
});

describe("stopping", () => {
  it("sends what still waits", async () => {
    const { store, fail, stop, running, clock } = broadcasting();
    fail("one");
    fail("two");
    stop.abort();
    await running;
    expect(store.list.map(({ message }) => message)).toEqual(["one", "two"]);
    expect(clock.sleeping).toBe(0);
  });

  it("ends at once when nothing waits", async () => {
    const { stop, running } = broadcasting();
    await settled();
    stop.abort();
    await expect(running).resolves.toBeUndefined();
  });

  it("tries once more at once where it was waiting to", async () => {
    const { store, fail, stop, running } = broadcasting();
    store.failures.push(unreachable());
    fail();
    await settled();
    stop.abort();
    await running;
    expect(store.only.count).toBe(1);
  });

  it("gives up what cannot be sent in time, and says how many", async () => {
    const { store, fail, stop, running, clock, logger } = broadcasting({ drainTimeoutMs: 3_000 });
    store.failures.push(...Array.from({ length: 100 }, unreachable));
    for (const message of ["one", "two", "three"]) fail(message);
    stop.abort();
    await clock.advance(3_000);
    await running;
    expect(store.list).toEqual([]);
    expect(logger.lines).toEqual([
      "warn: an event is dropped: it could not be sent",
      "warn: events are dropped: there was no time left to send them (2)",
    ]);
  });

  it("drops what is recorded afterwards", async () => {
    const { fail, stop, running, logger, broadcaster } = broadcasting();
    stop.abort();
    await running;
    fail();
    expect(logger.lines).toEqual(["info: an event is dropped: it was recorded after the end"]);
    await expect(broadcaster.run(new AbortController().signal)).rejects.toThrow("runs already, or has ended");
  });

  it("before it was started still sends what was recorded", async () => {
    const { store, fail, stop, start } = broadcasting({ isStarted: false });
    fail();
    stop.abort();
    await start();
    expect(store.only.count).toBe(1);
  });
});

describe("the recorder for tests", () => {
  it("keeps what was recorded", () => {
    const recorder = new MemoryEventRecorder();
    recorder.event(claim(), "Normal", "Provisioning", "external provisioner is working");
    expect(recorder.lines).toEqual(["Normal Provisioning external provisioner is working"]);
    expect(recorder.events[0]?.subject).toEqual(claim());
  });
});
