import type { KubeClient } from "@stowage/kube";
import type { Node, Pod, PodSpec } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { refusalOf } from "./admission.ts";

const node: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1", labels: { disk: "slow" } } };
const client = { find: async () => node } as unknown as KubeClient;
const deps = { client, nodeName: "node-1", allocatable: { cpu: "2", memory: "1Gi" } };
const pod = (spec: Partial<PodSpec>): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [], ...spec },
});
const asking = (requests: Record<string, string>) => pod({ containers: [{ name: "main", resources: { requests } }] });

describe("a Pod that was put on the node", () => {
  it("may stay where there is room for it", async () => {
    expect(await refusalOf(deps, asking({ cpu: "1500m" }), [asking({ cpu: "500m" })])).toBeUndefined();
    expect(await refusalOf(deps, asking({ "example.org/thing": "1" }), [])).toBeUndefined();
  });

  it("may not where there is none left", async () => {
    expect(await refusalOf(deps, asking({ cpu: "1600m" }), [asking({ cpu: "500m" })])).toEqual({
      reason: "OutOfcpu",
      message: "Node didn't have enough resource: cpu, requested: 1600, used: 500, capacity: 2000",
    });
  });

  it("may stay when it wants to", async () => {
    expect(await refusalOf(deps, pod({ nodeSelector: { disk: "slow" } }), [])).toBeUndefined();
    expect(await refusalOf(deps, pod({ nodeSelector: { disk: "fast" } }), [])).toEqual({
      reason: "NodeAffinity",
      message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    });
  });
});
