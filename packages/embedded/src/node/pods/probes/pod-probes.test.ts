import { MemoryEventRecorder } from "@stowage/kube";
import type { Container as ContainerField, Pod, Probe } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeContainer } from "../fixtures/fake-container.ts";
import { PodProbes } from "./pod-probes.ts";

const exec = { exec: { command: ["check"] } };
let clock: ManualClock;
let events: MemoryEventRecorder;
let container: FakeContainer | undefined;
let field: ContainerField;
let status: Pod["status"];
let news: number;
let probes: PodProbes;

beforeEach(() => {
  clock = new ManualClock();
  events = new MemoryEventRecorder();
  container = new FakeContainer("main", clock.nowMs());
  status = {};
  news = 0;
});

afterEach(() => probes.stop());

/** Probes of a Pod with one container; the agent has run for long, unless it is told otherwise. */
function start(own: Partial<ContainerField>, agentStartedMs = clock.nowMs() - 3_600_000): void {
  field = { name: "main", ...own };
  const pod = (): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u" },
    spec: { containers: [field] },
    ...(status !== undefined && { status }),
  });
  const deps = { clock, events, addresses: ["127.0.0.1"], agentStartedMs, random: () => 0.5 };
  probes = new PodProbes(deps, {
    pod,
    latest: () => container,
    onChange: () => {
      news++;
    },
  });
  probes.start();
}

const probe = (more: Partial<Probe> = {}): Probe => ({ ...exec, periodSeconds: 10, ...more });
const health = () => probes.health(field);
const tries = () => container?.commands.length;
const answering = (exitCode: number) => async () => ({ exitCode, said: exitCode === 0 ? "" : "no" });

describe("a container without probes", () => {
  it("is ready as soon as it runs, and not when it has ended", () => {
    start({});
    expect(health()).toEqual({ hasComeUp: true, isReady: true });
    container?.end(0, clock.nowMs());
    expect(health()).toEqual({ hasComeUp: false, isReady: false });
  });
});

describe("a readiness probe", () => {
  it("makes a container ready when enough tries agree, and unready when enough others do", async () => {
    start({ readinessProbe: probe({ successThreshold: 2, failureThreshold: 2 }) });
    await clock.advance(0);
    expect(health().isReady).toBe(false);
    await clock.advance(10_000);
    expect(health().isReady).toBe(true);
    if (container !== undefined) container.answer = answering(1);
    await clock.advance(10_000);
    expect(health().isReady).toBe(true);
    await clock.advance(10_000);
    expect(health().isReady).toBe(false);
    expect(events.lines).toEqual([
      "Warning Unhealthy Readiness probe failed: no",
      "Warning Unhealthy Readiness probe failed: no",
    ]);
    expect(news).toBe(2);
  });

  it("is asked at once when somebody is about to tell that it is not ready", async () => {
    if (container !== undefined) container.answer = answering(1);
    start({ readinessProbe: probe() });
    await clock.advance(1_000);
    expect(tries()).toBe(1);
    if (container !== undefined) container.answer = answering(0);
    probes.askUnready();
    await settled();
    expect(tries()).toBe(2);
    expect(health().isReady).toBe(true);
    probes.askUnready();
    await settled();
    expect(tries()).toBe(2);
    // Its next turn is counted from then on.
    await clock.advance(9_999);
    expect(tries()).toBe(2);
    await clock.advance(1);
    expect(tries()).toBe(3);
  });

  it("waits for its initial delay", async () => {
    start({ readinessProbe: probe({ initialDelaySeconds: 25 }) });
    await clock.advance(20_000);
    expect(tries()).toBe(0);
    await clock.advance(10_000);
    expect(tries()).toBe(1);
  });

  it("goes on when the Pod is to end; others do not", async () => {
    start({ readinessProbe: probe(), livenessProbe: probe() });
    await clock.advance(0);
    expect(tries()).toBe(2);
    probes.stopRestarts();
    await clock.advance(10_000);
    expect(tries()).toBe(3);
  });
});

describe("a liveness probe", () => {
  it("has a container started anew once enough tries have failed, and then leaves it alone", async () => {
    if (container !== undefined) container.answer = answering(1);
    start({ livenessProbe: probe({ failureThreshold: 2 }) });
    await clock.advance(0);
    expect(health()).toEqual({ hasComeUp: true, isReady: true });
    await clock.advance(10_000);
    expect(health().isFailing).toBe("liveness");
    await clock.advance(60_000);
    expect(tries()).toBe(2);
    container = new FakeContainer("main", clock.nowMs(), 1);
    await clock.advance(10_000);
    expect(tries()).toBe(1);
    expect(health().isFailing).toBeUndefined();
  });

  it("that cannot be tried is tried three times, told, and counts as nothing", async () => {
    if (container !== undefined) {
      container.answer = async () => {
        throw new Error("no way in");
      };
    }
    start({ livenessProbe: probe({ failureThreshold: 1 }) });
    await clock.advance(0);
    expect(tries()).toBe(3);
    expect(events.lines).toEqual(["Warning Unhealthy Liveness probe errored and resulted in unknown state: no way in"]);
    expect(health().isFailing).toBeUndefined();
  });

  it("begins when the startup probe has succeeded", async () => {
    start({ startupProbe: { ...probe({ failureThreshold: 3 }), exec: { command: ["up"] } }, livenessProbe: probe() });
    const own = container as FakeContainer;
    own.answer = async ([name]) => ({ exitCode: name === "up" ? 1 : 0, said: "" });
    await clock.advance(0);
    expect(health()).toEqual({ hasComeUp: false, isReady: false });
    await clock.advance(10_000);
    expect(own.commands).toEqual(["up", "up"]);
    own.answer = answering(0);
    await clock.advance(10_000);
    expect(health().hasComeUp).toBe(true);
    await clock.advance(10_000);
    expect(own.commands.filter((command) => command === "up")).toHaveLength(3);
    expect(own.commands).toContain("check");
  });
});

describe("a startup probe", () => {
  it("that has failed too often has the container started anew", async () => {
    if (container !== undefined) container.answer = answering(1);
    start({ startupProbe: probe({ failureThreshold: 2 }) });
    await clock.advance(10_000);
    expect(health()).toEqual({ hasComeUp: false, isReady: false, isFailing: "startup" });
  });
});

describe("an agent that has just begun", () => {
  const before = () => {
    container = new FakeContainer("main", clock.nowMs() - 60_000);
    const told = {
      name: "main",
      image: "",
      imageID: "",
      ready: true,
      restartCount: 0,
      containerID: "stowage://main-0",
    };
    status = { conditions: [{ type: "Ready", status: "True" }], containerStatuses: [{ ...told, started: true }] };
  };

  it("believes the one before it until it has asked, which is not at once for all", async () => {
    before();
    if (container !== undefined) container.answer = answering(1);
    start({ readinessProbe: probe({ failureThreshold: 1 }), startupProbe: probe() }, clock.nowMs());
    await clock.advance(4_999);
    expect(tries()).toBe(0);
    expect(health()).toEqual({ hasComeUp: true, isReady: true });
    await clock.advance(1);
    expect(tries()).toBe(1);
    expect(health()).toEqual({ hasComeUp: true, isReady: false });
  });

  it("does not believe it of a container that has just started", async () => {
    before();
    container = new FakeContainer("main", clock.nowMs() - 5_000);
    start({ readinessProbe: probe() }, clock.nowMs());
    await clock.advance(0);
    expect(health().isReady).toBe(false);
  });
});
