import type { Container, Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { activeTimeLeftMs } from "./active-deadline.ts";
import type { ContainerRecord } from "./container-record.ts";
import { podActions } from "./pod-actions.ts";
import { RestartBackoff } from "./restart-backoff.ts";
import { endsAfter, graceSeconds, remainingSeconds } from "./stop-plan.ts";

type State = "never" | "running" | "starting" | "0" | "1" | "sick" | "unwell" | "other";

const record = (state: State): ContainerRecord => {
  if (state === "never") return { hasComeUp: false };
  if (state === "running") return { startedMs: 1, hasComeUp: true };
  if (state === "starting") return { startedMs: 1, hasComeUp: false };
  if (state === "sick") return { startedMs: 1, hasComeUp: true, isFailing: "liveness" };
  if (state === "other") return { startedMs: 1, hasComeUp: true, isChanged: true };
  if (state === "unwell") return { startedMs: 1, hasComeUp: false, isFailing: "startup" };
  return { startedMs: 1, hasComeUp: false, exit: { exitCode: Number(state), finishedMs: 2 } };
};

function actions(states: Readonly<Record<string, State>>, spec: Partial<NonNullable<Pod["spec"]>> = {}) {
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "a" }, { name: "b" }], ...spec },
  };
  return podActions(pod, new Map(Object.entries(states).map(([name, state]) => [name, record(state)])));
}

const init = (name: string): Container => ({ name });
const sidecar = (name: string): Container => ({ name, restartPolicy: "Always" });
const nothing = { start: [], stop: [], isOver: false };

describe("what is done next with a Pod", () => {
  it.each([
    ["all that never ran start", {}, {}, { start: ["a", "b"] }],
    ["those that run are left alone", { a: "running", b: "running" }, {}, {}],
    ["one that ended starts again", { a: "running", b: "0" }, {}, { start: ["b"] }],
    [
      "one that ended well does not, where only failures count",
      { a: "running", b: "0" },
      { restartPolicy: "OnFailure" },
      {},
    ],
    ["one that failed does", { a: "running", b: "1" }, { restartPolicy: "OnFailure" }, { start: ["b"] }],
    ["none does where none is to", { a: "running", b: "1" }, { restartPolicy: "Never" }, {}],
    ["it is over when all have ended", { a: "0", b: "1" }, { restartPolicy: "Never" }, { isOver: true }],
    [
      "one that does not answer is stopped",
      { a: "sick", b: "running" },
      {},
      {
        stop: [
          {
            name: "a",
            probe: "liveness",
            message: "Container a failed liveness probe, will be restarted",
            isReplaced: true,
          },
        ],
      },
    ],
    [
      "one that does not answer and is not to start again just ends",
      { a: "sick", b: "running" },
      { restartPolicy: "Never" },
      {
        stop: [{ name: "a", probe: "liveness", message: "Container a failed liveness probe", isReplaced: false }],
      },
    ],
    [
      "one that is to be something else is started anew, whatever the policy says",
      { a: "other", b: "running" },
      { restartPolicy: "Never" },
      { stop: [{ name: "a", message: "Container a definition changed, will be restarted", isReplaced: true }] },
    ],
    ["it is over with the last of them", { a: "sick", b: "0" }, { restartPolicy: "Never" }, { isOver: true }],
  ] as const)("%s", (_what, states, spec, expected) => {
    expect(actions(states, spec)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ["the first init container starts alone", {}, { start: ["i"] }],
    ["the others wait while it runs", { i: "running" }, {}],
    ["the second follows when it has ended well", { i: "0" }, { start: ["j"] }],
    ["it starts again when it failed", { i: "1" }, { start: ["i"] }],
    ["the rest starts when all have ended well", { i: "0", j: "0" }, { start: ["a", "b"] }],
    ["they are not looked at any more afterwards", { i: "1", j: "0", a: "running", b: "running" }, {}],
  ] as const)("with init containers: %s", (_what, states, expected) => {
    expect(actions(states, { initContainers: [init("i"), init("j")] })).toEqual({ ...nothing, ...expected });
  });

  it("with an init container that failed for good it is over", () => {
    expect(actions({ i: "1" }, { initContainers: [init("i")], restartPolicy: "Never" })).toEqual({
      ...nothing,
      isOver: true,
    });
  });

  it.each([
    ["it starts first", {}, { start: ["s"] }],
    ["the next waits until it has come up", { s: "starting" }, {}],
    ["and follows while it runs", { s: "running" }, { start: ["i"] }],
    ["the rest starts beside it", { s: "running", i: "0" }, { start: ["a", "b"] }],
    ["it starts again beside the rest", { s: "1", i: "0", a: "running", b: "running" }, { start: ["s"] }],
    ["it does not keep the Pod alive", { s: "running", i: "0", a: "0", b: "0" }, { isOver: true }],
    ["it starts again beside those after it", { s: "1", i: "running" }, { start: ["s"] }],
    ["nobody waits for it any more who has come after it", { s: "1", i: "0" }, { start: ["s", "a", "b"] }],
    [
      "it is stopped when it does not come up",
      { s: "unwell" },
      { stop: [{ name: "s", probe: "startup", message: "Init container s failed startup probe", isReplaced: true }] },
    ],
  ] as const)("with a sidecar: %s", (_what, states, expected) => {
    const spec = { initContainers: [sidecar("s"), init("i")], restartPolicy: "OnFailure" as const };
    expect(actions(states, spec)).toEqual({ ...nothing, ...expected });
  });
});

it("starts what looks into a Pod at any time, and once", () => {
  const spec = { initContainers: [init("i")], ephemeralContainers: [{ name: "look" }] };
  expect(actions({ i: "running" }, spec)).toEqual({ ...nothing, start: ["look"] });
  expect(actions({ i: "0", a: "running", b: "running", look: "1" }, spec)).toEqual(nothing);
});

describe("how long a container has to end", () => {
  const pod = (grace: number | undefined, metadata: object = {}): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", ...metadata },
    spec: { containers: [], ...(grace !== undefined && { terminationGracePeriodSeconds: grace }) },
  });
  const container: Container = {
    name: "a",
    livenessProbe: { terminationGracePeriodSeconds: 5 },
    startupProbe: {},
  };

  it.each([
    ["what its Pod says", pod(30), undefined, 30],
    ["what its probe says", pod(30), "liveness", 5],
    ["what its Pod says where its probe says nothing", pod(30), "startup", 30],
    ["what whoever deleted the Pod says", pod(30, { deletionGracePeriodSeconds: 0 }), "liveness", 0],
    ["a moment where nobody says anything", pod(undefined), undefined, 2],
  ] as const)("is %s", (_what, of, probe, seconds) => {
    expect(graceSeconds(of, container, probe)).toBe(seconds);
  });

  it("is never less than a moment, whatever its hook took", () => {
    expect(remainingSeconds(30, 10.9)).toBe(20);
    expect(remainingSeconds(30, 29)).toBe(2);
    expect(remainingSeconds(0, 0)).toBe(2);
  });

  it("begins after that of those whom it serves", () => {
    const spec = { containers: [init("a"), init("b")], initContainers: [sidecar("s"), init("i"), sidecar("t")] };
    const of: Pod = { ...pod(1), spec };
    expect(endsAfter(of, "a")).toEqual([]);
    expect(endsAfter(of, "t")).toEqual(["a", "b"]);
    expect(endsAfter(of, "s")).toEqual(["a", "b", "t"]);
  });
});

it("may be active until its time is over", () => {
  const of = (spec: object): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {},
    spec: { containers: [], ...spec },
  });
  expect(activeTimeLeftMs(of({ activeDeadlineSeconds: 30 }), 10_000)).toBe(20_000);
  expect(activeTimeLeftMs(of({ activeDeadlineSeconds: 30 }), 30_000)).toBe(0);
  expect(activeTimeLeftMs(of({}), 70_000)).toBeUndefined();
});

describe("a container that keeps ending", () => {
  it("starts at once, then after 10, 20 … seconds, and after five minutes at most", () => {
    const backoff = new RestartBackoff();
    let nowMs = 0;
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const untilMs = backoff.waitsUntilMs("a", nowMs, nowMs);
      waits.push(untilMs === undefined ? 0 : (untilMs - nowMs) / 1000);
      const finishedMs = nowMs;
      nowMs = untilMs ?? nowMs;
      backoff.started("a", finishedMs, nowMs);
      nowMs += 1000;
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  it("begins anew after ten good minutes", () => {
    const backoff = new RestartBackoff();
    backoff.started("a", 0, 0);
    backoff.started("a", 1_000, 1_000);
    expect(backoff.waitMs("a")).toBe(20_000);
    const laterMs = 1_000 + 600_001;
    expect(backoff.waitsUntilMs("a", laterMs, laterMs)).toBeUndefined();
    backoff.started("a", laterMs, laterMs);
    expect(backoff.waitMs("a")).toBe(10_000);
  });

  it("is no matter to others", () => {
    const backoff = new RestartBackoff();
    backoff.started("a", 0, 0);
    expect(backoff.waitsUntilMs("b", 0, 0)).toBeUndefined();
    expect(backoff.waitsUntilMs("a", 0, 10_000)).toBeUndefined();
  });
});
