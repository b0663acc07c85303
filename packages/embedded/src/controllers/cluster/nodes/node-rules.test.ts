import type { Lease, Node, Taint } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { node, pod } from "../fixtures/cluster-objects.ts";
import { nodesMissing, strandedPods, surplusPods, unscheduledPods } from "./doomed-pods.ts";
import { isLost, nextHealth, unknownConditions } from "./node-health.ts";
import { desiredNoExecuteTaints, desiredNoScheduleTaints, missingOlderLabels } from "./node-taints.ts";
import { notReadyPod } from "./node-writes.ts";
import { toleratedMs } from "./tolerated-time.ts";
import { ttlStep } from "./ttl-annotations.ts";
import { evictionRate, zoneState } from "./zone-disruption.ts";

const nowMs = Date.parse("2026-01-01T01:00:00Z");
const timeAdded = "2026-01-01T01:00:00Z";
const kept: Taint = { key: "example.org/own", effect: "NoSchedule" };
const ready = (status: "True" | "False" | "Unknown", lastHeartbeatTime = "2026-01-01T00:59:00Z") =>
  ({ type: "Ready", status, lastHeartbeatTime }) as const;
const withConditions = (...conditions: NonNullable<Node["status"]>["conditions"] & {}) =>
  node("node-1", { status: { conditions }, spec: { taints: [kept] } });

describe("the taints of a node", () => {
  it("tell what it is like, beside those that others gave", () => {
    const pressed = withConditions(ready("False"), { type: "MemoryPressure", status: "True" });
    expect(desiredNoScheduleTaints(pressed, nowMs)).toEqual([
      kept,
      { key: "node.kubernetes.io/not-ready", effect: "NoSchedule", timeAdded },
      { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule", timeAdded },
    ]);
  });

  it("go when it is so no longer", () => {
    const taints = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const, kept];
    expect(desiredNoScheduleTaints(node("a", { spec: { taints } }), nowMs)).toEqual([kept]);
    expect(desiredNoScheduleTaints(node("a", { spec: { taints, unschedulable: true } }), nowMs)).toBeUndefined();
  });

  it("that have Pods go are exchanged for each other", () => {
    const taints = [{ key: "node.kubernetes.io/not-ready", effect: "NoExecute" } as const, kept];
    const unreachable = { key: "node.kubernetes.io/unreachable", effect: "NoExecute", timeAdded };
    const tainted = node("a", { spec: { taints } });
    expect(desiredNoExecuteTaints(tainted, "Unknown", nowMs)).toEqual([kept, unreachable]);
    expect(desiredNoExecuteTaints(tainted, "False", nowMs)).toBeUndefined();
    expect(desiredNoExecuteTaints(tainted, "True", nowMs)).toEqual([kept]);
  });
});

test("labels have their older names, too", () => {
  const labels = { "kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64", "beta.kubernetes.io/arch": "arm64" };
  expect(missingOlderLabels(node("a", { metadata: { labels } }))).toEqual({ "beta.kubernetes.io/os": "linux" });
});

describe("a node", () => {
  const alive = withConditions(ready("True"), { type: "NetworkUnavailable", status: "False" });
  const lease = (renewTime: string): Lease => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "node-1" },
    spec: { renewTime },
  });

  it("is lost when it has said nothing for longer than it may", () => {
    const health = nextHealth(undefined, alive, undefined, nowMs);
    expect(isLost(health, alive, nowMs + 50_000)).toBe(false);
    expect(isLost(nextHealth(health, alive, undefined, nowMs + 50_001), alive, nowMs + 50_001)).toBe(true);
  });

  it("is not lost as long as it renews its lease, or says how it fares", () => {
    const first = nextHealth(undefined, alive, lease("2026-01-01T00:59:00.000000Z"), nowMs);
    const renewed = nextHealth(first, alive, lease("2026-01-01T00:59:10.000000Z"), nowMs + 49_000);
    expect(isLost(renewed, alive, nowMs + 90_000)).toBe(false);
    const spoken = nextHealth(
      renewed,
      withConditions(ready("True", "2026-01-01T00:59:59Z")),
      undefined,
      nowMs + 90_000,
    );
    expect(isLost(spoken, alive, nowMs + 130_000)).toBe(false);
  });

  it("that has never said anything is given longer, since it was made", () => {
    const silent = node("node-1");
    const createdMs = Date.parse("2026-01-01T00:00:00Z");
    const health = nextHealth(undefined, silent, undefined, createdMs + 1_000);
    expect(isLost(health, silent, createdMs + 60_000)).toBe(false);
    expect(isLost(health, silent, createdMs + 60_001)).toBe(true);
  });

  it("that is lost has conditions that say so, but for the network's", () => {
    const said = unknownConditions(alive, nowMs) ?? [];
    expect(said.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["Ready", "Unknown", "NodeStatusUnknown"],
      ["NetworkUnavailable", "False", undefined],
      ["MemoryPressure", "Unknown", "NodeStatusNeverUpdated"],
      ["DiskPressure", "Unknown", "NodeStatusNeverUpdated"],
      ["PIDPressure", "Unknown", "NodeStatusNeverUpdated"],
    ]);
    expect(unknownConditions(node("a", { status: { conditions: said } }), nowMs)).toBeUndefined();
  });
});

test("a zone is judged by how many of its nodes are ready", () => {
  expect(zoneState(["True", "False"])).toBe("Normal");
  expect(zoneState(["False", undefined])).toBe("FullDisruption");
  expect(zoneState(["True", "False", "Unknown", "False"])).toBe("PartialDisruption");
  expect(zoneState([])).toBe("Normal");
  expect(evictionRate("PartialDisruption", 10)).toBe(0);
  expect(evictionRate("PartialDisruption", 51)).toBe(0.01);
  expect(evictionRate("FullDisruption", 10)).toBe(0.1);
});

describe("on a node with taints a Pod", () => {
  const taint: Taint = { key: "broken", effect: "NoExecute" };
  const other: Taint = { key: "wet", effect: "NoExecute" };

  it("goes at once where it tolerates one of them not", () => {
    expect(toleratedMs([taint], [])).toBe(0);
    expect(toleratedMs([taint, other], [{ key: "broken", operator: "Exists" }])).toBe(0);
  });

  it("stays where it tolerates all, or there are none", () => {
    expect(toleratedMs([], [])).toBeUndefined();
    expect(toleratedMs([taint, other], [{ operator: "Exists" }])).toBeUndefined();
  });

  it("stays for the shortest of the times that it has", () => {
    const tolerations = [
      { key: "broken", operator: "Exists", tolerationSeconds: 30 } as const,
      { key: "wet", operator: "Exists", tolerationSeconds: 10 } as const,
    ];
    expect(toleratedMs([taint, other], tolerations)).toBe(10_000);
    expect(toleratedMs([taint], [{ operator: "Exists", tolerationSeconds: -1 }])).toBe(0);
  });
});

describe("Pods that nobody else deletes", () => {
  const deletionTimestamp = "2026-01-01T00:00:00Z";

  it("are those that have ended and are too many, evicted ones before older ones", () => {
    const ended = (name: string, second: number, reason?: string) =>
      pod(name, {
        metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
        status: { phase: reason === undefined ? "Succeeded" : "Failed", reason },
      });
    const all = [ended("young", 3), ended("old", 1), ended("evicted", 2, "Evicted"), pod("runs")];
    expect(surplusPods(all, 1).map(({ metadata }) => metadata.name)).toEqual(["evicted", "old"]);
    expect(surplusPods(all, 3)).toEqual([]);
  });

  it("are those that are being deleted on nodes out of service", () => {
    const taints: Taint[] = [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute" }];
    const going = pod("a", { metadata: { name: "a", deletionTimestamp } });
    const out = (status: "True" | "False") => () =>
      node("node-1", { spec: { taints }, status: { conditions: [ready(status)] } });
    expect(strandedPods([going, pod("b")], out("False"))).toEqual([going]);
    expect(strandedPods([going], out("True"))).toEqual([]);
    expect(strandedPods([going], () => undefined)).toEqual([]);
  });

  it("are those that are being deleted and were never on a node", () => {
    const going = pod("a", { metadata: { name: "a", deletionTimestamp }, spec: { nodeName: "" } });
    expect(unscheduledPods([going, pod("b", { spec: { nodeName: "" } }), pod("c")])).toEqual([going]);
  });

  it("may be those whose node is missing", () => {
    const nodeOf = (name: string) => (name === "node-1" ? node(name) : undefined);
    expect(nodesMissing([pod("a"), pod("b", { spec: { nodeName: "gone" } })], nodeOf)).toEqual(new Set(["gone"]));
  });
});

test("a Pod on a lost node is ready no longer", () => {
  const conditions = [{ type: "Ready", status: "True" as const, lastTransitionTime: "2026-01-01T00:00:00Z" }];
  expect(notReadyPod(pod("a", { status: { conditions } }), nowMs)?.status?.conditions).toEqual([
    { type: "Ready", status: "False", lastTransitionTime: timeAdded },
  ]);
  expect(notReadyPod(pod("a"), nowMs)).toBeUndefined();
});

test("the more nodes there are the longer kubelets may remember, without going to and fro", () => {
  expect(ttlStep(0, 100)).toBe(0);
  expect(ttlStep(0, 101)).toBe(1);
  expect(ttlStep(1, 95)).toBe(1);
  expect(ttlStep(1, 89)).toBe(0);
  expect(ttlStep(0, 5_000)).toBe(4);
});
