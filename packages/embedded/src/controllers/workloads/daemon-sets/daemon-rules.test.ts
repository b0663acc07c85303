import type { DaemonSet, Pod } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { node, pod, readyStatus } from "../fixtures/workload-objects.ts";
import { daemonTemplate, HASH_LABEL, nodeFit, nodeOf } from "./daemon-pod.ts";
import { desiredDaemonStatus } from "./daemon-status.ts";
import { updatePlan } from "./daemon-update.ts";
import { type DaemonFacts, type DaemonPlan, placementPlan, podsByNode } from "./node-pods.ts";

function daemonSet(rollingUpdate: object = { maxUnavailable: 1 }): DaemonSet {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", uid: "uid", generation: 1 },
    spec: {
      selector: {},
      template: { spec: { containers: [] } },
      updateStrategy: { type: "RollingUpdate", rollingUpdate },
    },
  };
}

const daemon = (on: string, hash: string, isReady = true, name = `${on}-${hash}`): Pod =>
  pod(
    name,
    { labels: { [HASH_LABEL]: hash } },
    { spec: { nodeName: on, containers: [] }, status: isReady ? readyStatus(0) : {} },
  );

function facts(set: DaemonSet, pods: readonly Pod[], names = ["one", "two", "three"]): DaemonFacts {
  const nodes = names.map((name) => node(name));
  return { set, hash: "new", nodes, podsByNode: podsByNode(pods), nowMs: 1_000_000 };
}

const named = (plan: DaemonPlan) => ({ create: plan.create, delete: plan.delete.map(({ metadata }) => metadata.name) });
const never = () => false;

describe("a node", () => {
  const taint = (effect: "NoSchedule" | "NoExecute", key = "own") => node("one", {}, { taints: [{ key, effect }] });
  test.each([
    ["runs the daemon", node("one"), { shouldRun: true, mayStay: true }],
    ["keeps one that is there when it takes no more", taint("NoSchedule"), { shouldRun: false, mayStay: true }],
    ["drives it out", taint("NoExecute"), { shouldRun: false, mayStay: false }],
    [
      "runs it though it is in trouble",
      taint("NoExecute", "node.kubernetes.io/not-ready"),
      { shouldRun: true, mayStay: true },
    ],
  ])("%s", (_, there, fit) => {
    expect(nodeFit(daemonSet(), there)).toEqual(fit);
  });

  it("is found again in the Pod that was made for it", () => {
    expect(nodeOf(pod("a", {}, { spec: daemonTemplate(daemonSet(), "new", "one").spec }))).toBe("one");
  });
});

describe("where daemons come and go", () => {
  it("one comes to each node that has none", () => {
    expect(named(placementPlan(facts(daemonSet(), [daemon("one", "new")]), never))).toEqual({
      create: ["two", "three"],
      delete: [],
    });
  });

  it("all but the first of a node go, and one that has ended", () => {
    const ended = { ...daemon("two", "new"), status: { phase: "Failed" } } as Pod;
    const plan = placementPlan(
      facts(daemonSet(), [daemon("one", "a"), daemon("one", "b"), ended], ["one", "two"]),
      never,
    );
    expect(named(plan)).toEqual({ create: [], delete: ["one-b", "two-new"] });
  });

  it("one that failed stays as long as it is held back", () => {
    const ended = { ...daemon("one", "new"), status: { phase: "Failed" } } as Pod;
    expect(named(placementPlan(facts(daemonSet(), [ended], ["one"]), () => true)).delete).toEqual([]);
  });
});

describe("another template", () => {
  it("replaces as many as may be missing, and all that do not work", () => {
    const old = [daemon("one", "old"), daemon("two", "old"), daemon("three", "old", false)];
    expect(named(updatePlan(facts(daemonSet({ maxUnavailable: 2 }), old))).delete).toEqual(["three-old", "one-old"]);
    expect(named(updatePlan(facts(daemonSet({ maxUnavailable: 1 }), old))).delete).toEqual(["three-old"]);
  });

  it("waits for a new one that is not ready", () => {
    const pods = [daemon("one", "new", false), daemon("two", "old"), daemon("three", "old")];
    expect(named(updatePlan(facts(daemonSet(), pods))).delete).toEqual([]);
  });

  it("with a surge comes first, and the old one goes when it is ready", () => {
    const set = daemonSet({ maxSurge: 1, maxUnavailable: 0 });
    const old = ["one", "two", "three"].map((name) => daemon(name, "old"));
    expect(named(updatePlan(facts(set, old)))).toEqual({ create: ["one"], delete: [] });
    expect(named(updatePlan(facts(set, [...old, daemon("one", "new")])))).toEqual({
      create: ["two"],
      delete: ["one-old"],
    });
    expect(named(updatePlan(facts(set, [...old, daemon("one", "new", false)])))).toEqual({ create: [], delete: [] });
  });
});

it("nodes are counted by what runs on them", () => {
  const status = desiredDaemonStatus(facts(daemonSet(), [daemon("one", "new"), daemon("two", "old", false)]), true);
  expect(status).toMatchObject({ desiredNumberScheduled: 3, currentNumberScheduled: 2, numberReady: 1 });
  expect(status).toMatchObject({
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
    observedGeneration: 1,
  });
});
