import { controllerRevisions, type DaemonSet, daemonSets, nodes, pods } from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { imageOf, podTemplate, withImage } from "../workload-objects.ts";

const compares = [daemonSets, pods, controllerRevisions];
const events = ["DaemonSet"];
const isSeen = ({ metadata, status }: DaemonSet) => status?.observedGeneration === metadata.generation;

/** One that is well, and that no other scenario's Pods ask for. */
async function makeNode(scene: Scene, name: string, spec: object = {}): Promise<string> {
  const full = `${name}-${scene.id}`;
  const conditions = [{ type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is ready" }];
  const time = new Date().toISOString().replace(/\.\d+/u, "");
  const times = { lastHeartbeatTime: time, lastTransitionTime: time };
  await scene.create(nodes, {
    metadata: { name: full, labels: { scenario: scene.id } },
    status: { conditions: conditions.map((each) => ({ ...each, ...times })) },
  });
  // The server lets no node begin without a taint, which goes when somebody has seen that it is well.
  await scene.patch(nodes, full, { spec: { taints: null, ...spec } });
  return full;
}

function agent(scene: Scene, more: Partial<DaemonSet["spec"]> = {}, pod: object = {}) {
  const template = podTemplate("agent", { nodeSelector: { scenario: scene.id }, ...pod });
  return { metadata: { name: "agent" }, spec: { selector: { matchLabels: { app: "agent" } }, template, ...more } };
}

/** When a node changes, the real controller looks at the Pods that are bound to it alone; those here are bound to none. */
const touch = (scene: Scene) => scene.patch(daemonSets, "agent", { metadata: { labels: { touched: "yes" } } });

const isRunning = (count: number) => (set: DaemonSet) => {
  const { numberAvailable = 0, updatedNumberScheduled = 0, desiredNumberScheduled } = set.status ?? {};
  const counts = [numberAvailable, updatedNumberScheduled, desiredNumberScheduled];
  return isSeen(set) && counts.every((each) => each === count);
};

export const placement: Scenario[] = [
  {
    name: "a Pod comes to every node that is meant",
    compares,
    events,
    async run(scene) {
      for (const name of ["one", "two"]) await makeNode(scene, name);
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene));
      await scene.until(daemonSets, "agent", isRunning(2));
    },
  },
  {
    name: "a node that comes later gets its Pod",
    compares,
    events,
    async run(scene) {
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene));
      await scene.until(daemonSets, "agent", isSeen);
      await makeNode(scene, "late");
      await scene.until(daemonSets, "agent", isRunning(1));
    },
  },
  {
    name: "host network and tolerations of its own",
    compares,
    async run(scene) {
      await makeNode(scene, "one");
      const tolerations = [{ key: "own", operator: "Exists" }];
      await scene.create(daemonSets, agent(scene, {}, { hostNetwork: true, tolerations }));
      await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.until(daemonSets, "agent", (each) => isSeen(each) && each.status?.currentNumberScheduled === 1);
    },
  },
  {
    name: "a taint keeps Pods from coming, and one that executes makes them go",
    compares,
    events,
    async run(scene) {
      await makeNode(scene, "free");
      await makeNode(scene, "kept", { taints: [{ key: "own", effect: "NoSchedule" }] });
      const third = await makeNode(scene, "third");
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene));
      await scene.until(daemonSets, "agent", isRunning(2));
      await scene.patch(nodes, third, { spec: { taints: [{ key: "own", effect: "NoExecute" }] } });
      await touch(scene);
      await scene.until(daemonSets, "agent", isRunning(1));
      await scene.untilAll(pods, ({ length }) => length === 1);
    },
  },
  {
    name: "a node whose labels no longer fit loses its Pod",
    compares,
    events,
    async run(scene) {
      const node = await makeNode(scene, "one");
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene));
      await scene.until(daemonSets, "agent", isRunning(1));
      await scene.patch(nodes, node, { metadata: { labels: { scenario: "other" } } });
      await touch(scene);
      await scene.untilAll(pods, ({ length }) => length === 0);
      await scene.until(daemonSets, "agent", ({ status }) => status?.desiredNumberScheduled === 0);
    },
  },
  {
    name: "required affinity decides as well",
    compares,
    async run(scene) {
      const node = await makeNode(scene, "one");
      await makeNode(scene, "two");
      await scene.patch(nodes, node, { metadata: { labels: { size: "12" } } });
      const matchExpressions = [{ key: "size", operator: "Gt", values: ["10"] }];
      const required = { nodeSelectorTerms: [{ matchExpressions }] };
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
      await scene.create(daemonSets, agent(scene, {}, { affinity }));
      await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.until(daemonSets, "agent", (each) => isSeen(each) && each.status?.currentNumberScheduled === 1);
    },
  },
  {
    name: "a Pod that failed is replaced",
    compares,
    events,
    async run(scene) {
      await makeNode(scene, "one");
      await scene.create(daemonSets, agent(scene));
      const [pod] = await scene.untilAll(pods, ({ length }) => length === 1);
      await scene.patchStatus(pods, pod?.metadata.name ?? "", { phase: "Failed" });
      await scene.untilAll(pods, ([each]) => each !== undefined && each.metadata.uid !== pod?.metadata.uid);
      await scene.until(daemonSets, "agent", ({ status }) => status?.currentNumberScheduled === 1);
    },
  },
];

export const updates: Scenario[] = [
  {
    name: "another template replaces the Pods one by one",
    compares,
    async run(scene) {
      for (const name of ["one", "two", "three"]) await makeNode(scene, name);
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene));
      await scene.until(daemonSets, "agent", isRunning(3));
      await scene.patch(daemonSets, "agent", withImage("example.org/main:2"));
      await scene.until(daemonSets, "agent", isRunning(3));
    },
  },
  {
    name: "it stops at the first Pod that does not run",
    // Which one that is, is up to chance.
    compares: [daemonSets, controllerRevisions],
    async run(scene) {
      for (const name of ["one", "two", "three"]) await makeNode(scene, name);
      await scene.create(daemonSets, agent(scene));
      for (const pod of await scene.untilAll(pods, ({ length }) => length === 3)) await scene.runPod(pod);
      await scene.until(daemonSets, "agent", isRunning(3));
      await scene.patch(daemonSets, "agent", withImage("example.org/main:2"));
      await scene.untilAll(pods, (all) => all.filter((pod) => imageOf(pod).endsWith(":2")).length === 1);
      await scene.until(daemonSets, "agent", ({ status }) => status?.updatedNumberScheduled === 1);
    },
  },
  {
    name: "with a surge, the new Pod comes before the old one goes",
    compares,
    async run(scene) {
      for (const name of ["one", "two"]) await makeNode(scene, name);
      const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const;
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene, { updateStrategy }));
      await scene.until(daemonSets, "agent", isRunning(2));
      await scene.patch(daemonSets, "agent", withImage("example.org/main:2"));
      await scene.until(daemonSets, "agent", isRunning(2));
      await scene.untilAll(pods, (all) => all.length === 2 && all.every((pod) => imageOf(pod).endsWith(":2")));
    },
  },
  {
    name: "on deletion only",
    compares,
    async run(scene) {
      for (const name of ["one", "two"]) await makeNode(scene, name);
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene, { updateStrategy: { type: "OnDelete" } }));
      await scene.until(daemonSets, "agent", isRunning(2));
      await scene.patch(daemonSets, "agent", withImage("example.org/main:2"));
      await scene.untilAll(controllerRevisions, ({ length }) => length === 2);
      const ofOne = (await scene.list(pods)).find((pod) => JSON.stringify(pod.spec?.affinity).includes("one-"));
      await scene.remove(pods, ofOne?.metadata.name ?? "");
      await scene.until(daemonSets, "agent", (set) => isSeen(set) && set.status?.updatedNumberScheduled === 1);
      await scene.until(daemonSets, "agent", ({ status }) => status?.numberAvailable === 2);
    },
  },
  {
    name: "old templates are kept, as many as may be, and one that comes back is the latest",
    compares,
    async run(scene) {
      await makeNode(scene, "one");
      scene.startKubelet();
      await scene.create(daemonSets, agent(scene, { revisionHistoryLimit: 1 }));
      await scene.until(daemonSets, "agent", isRunning(1));
      for (const tag of ["2", "3", "2"]) {
        await scene.patch(daemonSets, "agent", withImage(`example.org/main:${tag}`));
        await scene.until(daemonSets, "agent", isRunning(1));
      }
      await scene.untilAll(controllerRevisions, ({ length }) => length === 2);
    },
  },
];
