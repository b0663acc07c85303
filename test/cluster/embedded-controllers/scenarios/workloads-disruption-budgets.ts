import {
  deployments,
  jobs,
  type PodDisruptionBudget,
  type PodDisruptionBudgetSpec,
  podDisruptionBudgets,
  pods,
  replicaSets,
  statefulSets,
} from "@stowage/machinery";
import type { Scenario } from "../scenario.ts";
import { deployment, isRolledOut, podTemplate } from "../workload-objects.ts";

const compares = [podDisruptionBudgets];
const events = ["PodDisruptionBudget"];
const selector = { matchLabels: { app: "web" } };
const budget = (spec: PodDisruptionBudgetSpec) => ({ metadata: { name: "web" }, spec: { selector, ...spec } });
const allows =
  (count: number) =>
  ({ metadata, status }: PodDisruptionBudget) =>
    status?.observedGeneration === metadata.generation && (status?.disruptionsAllowed ?? 0) === count;

export const budgets: Scenario[] = [
  {
    name: "of no Pods",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await scene.create(podDisruptionBudgets, budget({ minAvailable: 1 }));
      await scene.until(podDisruptionBudgets, "web", allows(0));
    },
  },
  {
    name: "a number of a Deployment's Pods must stay",
    compares,
    async run(scene) {
      await scene.create(podDisruptionBudgets, budget({ minAvailable: 2 }));
      scene.startKubelet();
      await scene.create(deployments, deployment(3));
      await scene.until(deployments, "web", isRolledOut);
      await scene.until(podDisruptionBudgets, "web", allows(1));
    },
  },
  {
    name: "some of a Deployment's Pods may be missing",
    compares,
    async run(scene) {
      scene.startKubelet();
      await scene.create(deployments, deployment(4));
      await scene.until(deployments, "web", isRolledOut);
      await scene.create(podDisruptionBudgets, budget({ maxUnavailable: "50%" }));
      await scene.until(podDisruptionBudgets, "web", allows(2));
    },
  },
  {
    name: "a part of a StatefulSet and a ReplicaSet",
    compares,
    async run(scene) {
      await scene.create(podDisruptionBudgets, budget({ minAvailable: "50%" }));
      const workload = { selector, template: podTemplate("web") };
      const other = { ...podTemplate("web"), metadata: { labels: { app: "web", of: "set" } } };
      scene.startKubelet();
      const set = { replicas: 1, selector: { matchLabels: { of: "set" } }, template: other, serviceName: "web" };
      await scene.create(statefulSets, { metadata: { name: "set" }, spec: set });
      await scene.create(replicaSets, { metadata: { name: "web" }, spec: { replicas: 2, ...workload } });
      await scene.until(podDisruptionBudgets, "web", ({ status }) => status?.currentHealthy === 3);
    },
  },
  {
    name: "Pods that nobody manages",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await scene.create(pods, { metadata: { name: "alone", labels: { app: "web" } }, spec: podTemplate("web").spec });
      await scene.create(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
      await scene.until(podDisruptionBudgets, "web", allows(0));
    },
  },
  {
    name: "Pods of what cannot be scaled",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await scene.create(jobs, {
        metadata: { name: "web" },
        spec: { template: podTemplate("web", { restartPolicy: "Never" }) },
      });
      await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.create(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
      await scene.until(podDisruptionBudgets, "web", ({ status }) => status?.conditions?.[0]?.reason === "SyncFailed");
    },
  },
];
