import { MemoryEventRecorder } from "@stowage/kube";
import { type Container, type Pod, silentLogger } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeContainer } from "../fixtures/fake-container.ts";
import { stopContainer, stopContainers } from "./container-stop.ts";

let clock: ManualClock;
let events: MemoryEventRecorder;
const { signal } = new AbortController();

beforeEach(() => {
  clock = new ManualClock();
  events = new MemoryEventRecorder();
});

const deps = () => ({ clock, events, addresses: ["127.0.0.1"], logger: silentLogger });
const pod = (spec: Partial<NonNullable<Pod["spec"]>>): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u" },
  spec: { containers: [{ name: "main" }], terminationGracePeriodSeconds: 30, ...spec },
});
const obedient = (name: string) => {
  const container = new FakeContainer(name, clock.nowMs());
  container.onSignal = () => container.end(0, clock.nowMs());
  return container;
};
const deaf = (name: string) => {
  const container = new FakeContainer(name, clock.nowMs());
  container.onSignal = (asked) => {
    if (asked === "SIGKILL") container.end(137, clock.nowMs());
  };
  return container;
};

describe("a container that is to end", () => {
  it("has its grace, and then no choice", async () => {
    const container = deaf("main");
    const stopped = stopContainer(deps(), { pod: pod({}), container }, signal);
    await clock.advance(29_999);
    expect(container.signals).toEqual(["SIGTERM"]);
    await clock.advance(1);
    await stopped;
    expect(container.signals).toEqual(["SIGTERM", "SIGKILL"]);
    expect(events.lines).toEqual(["Normal Killing Stopping container main"]);
  });

  it("is asked by the signal that it wants", async () => {
    const lifecycle = { stopSignal: "SIGUSR1" as const };
    const container = obedient("main");
    await stopContainer(deps(), { pod: pod({ containers: [{ name: "main", lifecycle }] }), container }, signal);
    expect(container.signals[0]).toBe("SIGUSR1");
  });

  it("has what its hook has left of the time", async () => {
    const lifecycle = { preStop: { sleep: { seconds: 10 } } };
    const container = deaf("main");
    const of = pod({ containers: [{ name: "main", lifecycle }] });
    const stopped = stopContainer(deps(), { pod: of, container }, signal);
    await clock.advance(9_999);
    expect(container.signals).toEqual([]);
    await clock.advance(1);
    expect(container.signals).toEqual(["SIGTERM"]);
    await clock.advance(20_000);
    await stopped;
    expect(clock.monotonicMs()).toBe(30_000);
  });

  it("has a moment even when its hook takes longer than it may", async () => {
    const lifecycle = { preStop: { exec: { command: ["forever"] } } };
    const container = deaf("main");
    container.answer = () => new Promise(() => {});
    const of = pod({ containers: [{ name: "main", lifecycle }], terminationGracePeriodSeconds: 5 });
    const stopped = stopContainer(deps(), { pod: of, container }, signal);
    await clock.advance(5_000);
    expect(container.signals).toEqual(["SIGTERM"]);
    await clock.advance(2_000);
    await stopped;
    expect(events.lines).toEqual([
      "Normal Killing Stopping container main",
      "Warning FailedPreStopHook PreStopHook failed",
    ]);
  });

  it("has no hook when there is no time at all", async () => {
    const lifecycle = { preStop: { exec: { command: ["bye"] } } };
    const of = pod({ containers: [{ name: "main", lifecycle }] });
    const now: Pod = { ...of, metadata: { ...of.metadata, deletionGracePeriodSeconds: 0 } };
    const container = obedient("main");
    await stopContainer(deps(), { pod: now, container }, signal);
    expect(container.commands).toEqual([]);
  });

  it("has what its probe grants it, and is told why", async () => {
    const container = deaf("main");
    const of = pod({ containers: [{ name: "main", livenessProbe: { terminationGracePeriodSeconds: 3 } }] });
    const why = { message: "Container main failed liveness probe", probe: "liveness" as const };
    const stopped = stopContainer(deps(), { pod: of, container, why }, signal);
    await clock.advance(3_000);
    await stopped;
    expect(events.lines).toEqual(["Normal Killing Container main failed liveness probe"]);
  });

  it("is left to the next agent when this one ends", async () => {
    const stop = new AbortController();
    const container = deaf("main");
    const stopped = stopContainer(deps(), { pod: pod({}), container }, stop.signal);
    setImmediate(() => stop.abort());
    await expect(stopped).rejects.toThrow("abort");
    expect(container.signals).toEqual(["SIGTERM"]);
  });
});

describe("sidecars", () => {
  const sidecar = (name: string): Container => ({ name, restartPolicy: "Always" });

  it("end when those that they serve have, or when the time is over", async () => {
    const of = pod({ initContainers: [sidecar("first"), sidecar("second")], terminationGracePeriodSeconds: 10 });
    const main = deaf("main");
    const first = obedient("first");
    const second = obedient("second");
    const stopped = stopContainers(deps(), of, [first, second, main], signal);
    await clock.advance(5_000);
    expect([first.signals, second.signals]).toEqual([[], []]);
    main.end(0, clock.nowMs());
    await settled();
    await stopped;
    expect(second.signals[0]).toBe("SIGTERM");
    expect(first.signals[0]).toBe("SIGTERM");
    expect(clock.monotonicMs()).toBe(5_000);
  });

  it("do not wait for ever", async () => {
    const of = pod({ initContainers: [sidecar("first")], terminationGracePeriodSeconds: 10 });
    const main = deaf("main");
    const first = deaf("first");
    const stopped = stopContainers(deps(), of, [first, main], signal);
    await clock.advance(10_000);
    expect(first.signals).toEqual(["SIGTERM"]);
    await clock.advance(2_000);
    await stopped;
    expect(first.signals).toEqual(["SIGTERM", "SIGKILL"]);
  });
});
