import { pods, type ReplicaSet, replicaSets, resourceQuotas } from "@stowage/machinery";
import { untilQuotaHolds } from "../../embedded-scenarios/admission.ts";
import type { Scenario } from "../scenario.ts";
import { podTemplate } from "../workload-objects.ts";

const compares = [replicaSets, pods];
const events = ["ReplicaSet"];
const isSeen = ({ metadata, status }: ReplicaSet) => status?.observedGeneration === metadata.generation;
const has = (replicas: number) => (set: ReplicaSet) => isSeen(set) && set.status?.replicas === replicas;
const web = (replicas: number, more: Partial<ReplicaSet["spec"]> = {}) => ({
  metadata: { name: "web" },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, template: podTemplate("web"), ...more },
});

export const replicas: Scenario[] = [
  {
    name: "as many Pods are made as are wanted",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(3));
      await scene.until(replicaSets, "web", has(3));
    },
  },
  {
    name: "the template's labels, annotations and finalizers come to the Pods",
    compares,
    events,
    async run(scene) {
      const { spec } = podTemplate("web");
      const metadata = {
        labels: { app: "web", tier: "front" },
        annotations: { note: "x" },
        finalizers: ["example.org/kept"],
      };
      await scene.create(replicaSets, web(1, { template: { metadata, spec } }));
      await scene.until(replicaSets, "web", has(1));
    },
  },
  {
    name: "Pods that are ready are counted, and those that fail are replaced",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(2));
      const [first, second] = await scene.untilAll(pods, ({ length }) => length === 2);
      if (first !== undefined) await scene.runPod(first);
      await scene.until(replicaSets, "web", ({ status }) => status?.availableReplicas === 1);
      await scene.patchStatus(pods, second?.metadata.name ?? "", { phase: "Failed", reason: "Evicted" });
      await scene.untilAll(pods, ({ length }) => length === 3);
      await scene.until(replicaSets, "web", has(2));
    },
  },
  {
    name: "a Pod is available when it has been ready for long enough",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(1, { minReadySeconds: 3 }));
      const [pod] = await scene.untilAll(pods, ({ length }) => length === 1);
      if (pod !== undefined) await scene.runPod(pod);
      await scene.until(replicaSets, "web", ({ status }) => status?.readyReplicas === 1 && !status.availableReplicas);
      await scene.until(replicaSets, "web", ({ status }) => status?.availableReplicas === 1);
    },
  },
  {
    name: "when it shrinks, those that are not ready go first",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(3));
      const [first] = await scene.untilAll(pods, ({ length }) => length === 3);
      if (first !== undefined) await scene.runPod(first);
      await scene.until(replicaSets, "web", ({ status }) => status?.readyReplicas === 1);
      await scene.patch(replicaSets, "web", { spec: { replicas: 1 } });
      await scene.until(replicaSets, "web", has(1));
    },
  },
  {
    name: "when it shrinks, the cheapest go first",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(3));
      const made = await scene.untilAll(pods, ({ length }) => length === 3);
      const costs = ["30", "-20", "10"];
      for (const [index, { metadata }] of made.entries()) {
        const annotations = { "controller.kubernetes.io/pod-deletion-cost": costs[index] };
        await scene.patch(pods, metadata.name ?? "", { metadata: { annotations } });
      }
      await scene.patch(replicaSets, "web", { spec: { replicas: 2 } });
      await scene.until(replicaSets, "web", has(2));
    },
  },
  {
    name: "with no replicas, all Pods go",
    compares,
    events,
    async run(scene) {
      await scene.create(replicaSets, web(2));
      await scene.until(replicaSets, "web", has(2));
      await scene.patch(replicaSets, "web", { spec: { replicas: 0 } });
      await scene.until(replicaSets, "web", has(0));
    },
  },
];

export const ownership: Scenario[] = [
  {
    name: "a Pod without a controller is adopted, and one that no longer fits is released",
    compares,
    events,
    async run(scene) {
      await scene.create(pods, { metadata: { name: "stray", labels: { app: "web" } }, spec: podTemplate("web").spec });
      await scene.create(replicaSets, web(2));
      await scene.until(replicaSets, "web", has(2));
      await scene.patch(pods, "stray", { metadata: { labels: { app: "other" } } });
      await scene.until(pods, "stray", ({ metadata }) => metadata.ownerReferences === undefined);
      await scene.untilAll(pods, ({ length }) => length === 3);
      await scene.until(replicaSets, "web", has(2));
    },
  },
  {
    name: "too many Pods that could be adopted are adopted and deleted",
    compares,
    events,
    async run(scene) {
      for (const name of ["one", "two"]) {
        await scene.create(pods, { metadata: { name, labels: { app: "web" } }, spec: podTemplate("web").spec });
      }
      await scene.create(replicaSets, web(0));
      await scene.untilAll(pods, ({ length }) => length === 0);
      await scene.until(replicaSets, "web", has(0));
    },
  },
  {
    name: "a Pod that is being deleted is counted as such, and replaced at once",
    compares,
    events,
    async run(scene) {
      // On a node, so that somebody would have to say that it has stopped.
      await scene.create(replicaSets, web(1, { template: podTemplate("web", { nodeName: `nowhere-${scene.id}` }) }));
      const [pod] = await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.remove(pods, pod?.metadata.name ?? "");
      await scene.untilAll(pods, ({ length }) => length === 2);
      await scene.until(replicaSets, "web", ({ status }) => status?.replicas === 1 && status.terminatingReplicas === 1);
    },
  },
];

export const failures: Scenario[] = [
  {
    name: "what cannot be made is told, until it can",
    compares,
    async run(scene) {
      const hard = { pods: "1", services: "0" };
      await scene.create(resourceQuotas, { metadata: { name: "few" }, spec: { hard } });
      await scene.patchStatus(resourceQuotas, "few", { hard, used: { pods: "0", services: "0" } });
      await untilQuotaHolds(scene);
      await scene.create(replicaSets, web(3));
      await scene.until(replicaSets, "web", ({ status }) => status?.conditions?.[0]?.reason === "FailedCreate");
      await scene.until(replicaSets, "web", ({ status }) => status?.replicas === 1);
      await scene.remove(resourceQuotas, "few");
      await scene.patch(replicaSets, "web", { spec: { replicas: 2 } });
      await scene.until(replicaSets, "web", ({ status }) => status?.replicas === 2 && !status.conditions?.length);
    },
  },
];
