import { nodes, pods, type Toleration } from "@stowage/machinery";
import { hasTaint, makeNodes, sayCondition } from "../cluster-nodes.ts";
import { pod } from "../cluster-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { untilTold } from "../storage-objects.ts";

async function makePod(scene: Scene, name: string, nodeName: string, tolerations: Toleration[] = []): Promise<void> {
  const { metadata, spec } = pod("web", { nodeName, tolerations, terminationGracePeriodSeconds: 600 });
  await scene.create(pods, { metadata: { ...metadata, name, finalizers: ["example.org/kept"] }, spec });
}

const release = { metadata: { finalizers: null } };

export const taints: Scenario[] = [
  {
    name: "a node is tainted by what it is like",
    compares: [nodes],
    async run(scene) {
      const name = await makeNodes(scene, { unschedulable: true, labels: { "kubernetes.io/os": "linux" } });
      await sayCondition(scene, name, "MemoryPressure", "True");
      await sayCondition(scene, name, "NetworkUnavailable", "True");
      await scene.until(nodes, name, hasTaint("network-unavailable", "NoSchedule"));
      await sayCondition(scene, name, "MemoryPressure", "False");
      await scene.until(nodes, name, (node) => !hasTaint("memory-pressure", "NoSchedule")(node));
      await scene.until(nodes, name, ({ metadata }) => metadata.labels?.["beta.kubernetes.io/os"] === "linux");
    },
  },
  {
    name: "one that is not ready gets both taints, and loses them again",
    compares: [nodes],
    events: ["Node"],
    async run(scene) {
      const name = await makeNodes(scene);
      await sayCondition(scene, name, "Ready", "False");
      await scene.until(nodes, name, hasTaint("not-ready", "NoExecute"));
      await scene.until(nodes, name, hasTaint("not-ready", "NoSchedule"));
      await sayCondition(scene, name, "Ready", "True");
      await scene.until(nodes, name, (node) => !hasTaint("not-ready", "NoExecute")(node));
      await scene.until(nodes, name, (node) => !hasTaint("not-ready", "NoSchedule")(node));
      await untilTold(scene, "RegisteredNode", 2);
    },
  },
];

export const eviction: Scenario[] = [
  {
    name: "Pods that do not tolerate a taint go, others stay, or for a while",
    compares: [pods],
    events: ["Pod"],
    async run(scene) {
      const name = await makeNodes(scene);
      const tolerates = { key: "example.org/broken", operator: "Exists" } as const;
      await makePod(scene, "goes", name);
      await makePod(scene, "stays", name, [tolerates]);
      await makePod(scene, "waits", name, [{ ...tolerates, effect: "NoExecute", tolerationSeconds: 2 }]);
      const { spec } = await scene.get(nodes, name);
      const broken = { key: "example.org/broken", effect: "NoExecute" };
      await scene.patch(nodes, name, { spec: { taints: [...(spec?.taints ?? []), broken] } });
      for (const each of ["goes", "waits"]) {
        await scene.until(pods, each, ({ metadata }) => metadata.deletionTimestamp !== undefined);
      }
      await untilTold(scene, "TaintManagerEviction", 2);
      for (const each of ["goes", "waits", "stays"]) await scene.patch(pods, each, release);
    },
  },
  {
    name: "a taint that goes in time spares the Pod, which is told",
    compares: [pods],
    events: ["Pod"],
    async run(scene) {
      const name = await makeNodes(scene);
      const seconds = { key: "example.org/broken", operator: "Exists", effect: "NoExecute", tolerationSeconds: 600 };
      await makePod(scene, "waits", name, [seconds as Toleration]);
      const { spec } = await scene.get(nodes, name);
      const before = spec?.taints ?? [];
      const broken = { key: "example.org/broken", effect: "NoExecute" };
      await scene.patch(nodes, name, { spec: { taints: [...before, broken] } });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await scene.patch(nodes, name, { spec: { taints: before } });
      await untilTold(scene, "TaintManagerEviction");
      await scene.patch(pods, "waits", release);
    },
  },
];

export const collection: Scenario[] = [
  {
    name: "a Pod that was never on a node and is being deleted has failed",
    compares: [pods],
    async run(scene) {
      const { metadata, spec } = pod("web");
      await scene.create(pods, { metadata: { ...metadata, finalizers: ["example.org/kept"] }, spec });
      await scene.remove(pods, "web");
      await scene.until(pods, "web", ({ status }) => status?.phase === "Failed");
    },
  },
  {
    name: "Pods on a node that is out of service are let go",
    compares: [pods],
    async run(scene) {
      const taint = { key: "node.kubernetes.io/out-of-service", effect: "NoSchedule" } as const;
      const name = await makeNodes(scene, { ready: "False", taints: [taint] });
      const { metadata, spec } = pod("web", { nodeName: name, terminationGracePeriodSeconds: 600 });
      await scene.create(pods, { metadata, spec });
      await scene.create(pods, { metadata: { ...metadata, name: "stays" }, spec });
      await scene.remove(pods, "web");
      await scene.untilGone(pods, "web");
    },
  },
];
