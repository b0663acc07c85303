import { type Deployment, deployments, type ObjectMeta, pods, replicaSets } from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { deployment, isRolledOut, podTemplate, withImage } from "../workload-objects.ts";

const compares = [deployments, replicaSets, pods];
const events = ["Deployment"];
const rolledOut = (scene: Scene) => scene.until(deployments, "web", isRolledOut);
const progressReason = ({ status }: Deployment) =>
  status?.conditions?.find(({ type }) => type === "Progressing")?.reason;
const isSeen = ({ metadata, status }: Deployment) => status?.observedGeneration === metadata.generation;
const recreate = { strategy: { type: "Recreate" } } as const;

async function rollOut(scene: Scene, made: ReturnType<typeof deployment>): Promise<void> {
  scene.startKubelet();
  await scene.create(deployments, made);
  await rolledOut(scene);
}

async function change(scene: Scene, patch: object): Promise<void> {
  await scene.patch(deployments, "web", patch);
  await rolledOut(scene);
}

export const rollouts: Scenario[] = [
  {
    name: "a first ReplicaSet is made, whose Pods nobody runs",
    compares,
    events,
    async run(scene) {
      await scene.create(deployments, deployment(2));
      await scene.until(deployments, "web", (each) => each.status?.updatedReplicas === 2 && isSeen(each));
    },
  },
  {
    name: "it is complete when all Pods are available",
    compares,
    events,
    run: (scene) => rollOut(scene, deployment(3)),
  },
  {
    name: "another template leads to another ReplicaSet",
    compares,
    async run(scene) {
      await rollOut(scene, deployment(3));
      await change(scene, withImage("example.org/main:2"));
    },
  },
  {
    name: "with no surge, old Pods go before new ones come",
    compares,
    async run(scene) {
      const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
      await rollOut(scene, deployment(2, { strategy: { type: "RollingUpdate", rollingUpdate } }));
      await change(scene, withImage("example.org/main:2"));
    },
  },
  {
    name: "new Pods that nobody runs stop the rollout where the limits say",
    compares,
    events,
    async run(scene) {
      const rollingUpdate = { maxSurge: "30%", maxUnavailable: "30%" };
      const strategy = { type: "RollingUpdate", rollingUpdate } as const;
      await scene.create(deployments, deployment(4, { strategy }));
      const made = await scene.untilAll(pods, ({ length }) => length === 4);
      for (const pod of made) await scene.runPod(pod);
      await rolledOut(scene);
      await scene.patch(deployments, "web", withImage("example.org/main:2"));
      await scene.until(deployments, "web", (each) => isSeen(each) && each.status?.updatedReplicas === 3);
      await scene.untilAll(pods, ({ length }) => length === 6);
    },
  },
  {
    name: "a rollout that gets stuck is told of after its deadline",
    compares,
    events,
    async run(scene) {
      await scene.create(deployments, deployment(1, { progressDeadlineSeconds: 2 }));
      await scene.until(deployments, "web", (each) => progressReason(each) === "ProgressDeadlineExceeded");
    },
  },
  {
    name: "what is recreated is gone before it comes",
    compares,
    events,
    async run(scene) {
      await rollOut(scene, deployment(2, recreate));
      await change(scene, withImage("example.org/main:2"));
    },
  },
  {
    name: "annotations come to the new ReplicaSet",
    compares,
    async run(scene) {
      const made = deployment(1);
      const annotations = { note: "one", "kubectl.kubernetes.io/last-applied-configuration": "{}" };
      const metadata: ObjectMeta & { name: string } = { ...made.metadata, annotations };
      await rollOut(scene, { ...made, metadata });
      await scene.patch(deployments, "web", {
        metadata: { annotations: { note: "two" } },
        spec: { revisionHistoryLimit: 3 },
      });
      await scene.untilAll(replicaSets, ([set]) => set?.metadata.annotations?.["note"] === "two");
      await rolledOut(scene);
    },
  },
  {
    name: "without a deadline nothing is said of progress",
    compares,
    async run(scene) {
      scene.startKubelet();
      await scene.create(deployments, deployment(1, { progressDeadlineSeconds: 2_147_483_647 }));
      await scene.until(deployments, "web", ({ status }) => status?.availableReplicas === 1);
    },
  },
];

export const scaling: Scenario[] = [
  {
    name: "up and down",
    compares,
    events,
    async run(scene) {
      await rollOut(scene, deployment(1));
      await change(scene, { spec: { replicas: 3 } });
      await change(scene, { spec: { replicas: 0 } });
    },
  },
  {
    name: "in the middle of a rollout, in proportion",
    compares,
    events,
    async run(scene) {
      const rollingUpdate = { maxSurge: 3, maxUnavailable: 2 };
      await scene.create(deployments, deployment(10, { strategy: { type: "RollingUpdate", rollingUpdate } }));
      const made = await scene.untilAll(pods, ({ length }) => length === 10);
      for (const pod of made) await scene.runPod(pod);
      await rolledOut(scene);
      await scene.patch(deployments, "web", withImage("example.org/main:2"));
      await scene.until(deployments, "web", (each) => isSeen(each) && each.status?.updatedReplicas === 5);
      await scene.patch(deployments, "web", { spec: { replicas: 15 } });
      await scene.untilAll(pods, ({ length }) => length === 18);
      await scene.until(deployments, "web", (each) => isSeen(each) && each.status?.replicas === 18);
    },
  },
  {
    name: "while it is paused",
    compares,
    async run(scene) {
      await rollOut(scene, deployment(2));
      await scene.patch(deployments, "web", { spec: { paused: true } });
      await scene.until(deployments, "web", (each) => progressReason(each) === "DeploymentPaused");
      await scene.patch(deployments, "web", { spec: { replicas: 4, ...withImage("example.org/main:2").spec } });
      await scene.until(deployments, "web", (each) => isSeen(each) && each.status?.availableReplicas === 4);
    },
  },
];

export const history: Scenario[] = [
  {
    name: "old ReplicaSets stay, as many as may",
    compares,
    async run(scene) {
      await rollOut(scene, deployment(1, { revisionHistoryLimit: 1 }));
      for (const tag of ["2", "3", "4"]) await change(scene, withImage(`example.org/main:${tag}`));
      await scene.untilAll(replicaSets, ({ length }) => length === 2);
    },
  },
  {
    name: "rolled back, the old ReplicaSet has a new revision",
    compares,
    async run(scene) {
      await rollOut(scene, deployment(2));
      await change(scene, withImage("example.org/main:2"));
      await change(scene, withImage("example.org/main:1"));
      await change(scene, withImage("example.org/main:2"));
    },
  },
  {
    name: "paused and resumed",
    compares,
    async run(scene) {
      await rollOut(scene, deployment(1));
      await scene.patch(deployments, "web", { spec: { paused: true } });
      await scene.until(deployments, "web", (each) => progressReason(each) === "DeploymentPaused" && isSeen(each));
      await scene.patch(deployments, "web", withImage("example.org/main:2"));
      await scene.until(deployments, "web", isSeen);
      await change(scene, { spec: { paused: false } });
    },
  },
  {
    name: "a ReplicaSet without a controller is adopted",
    compares,
    async run(scene) {
      const { metadata, spec } = podTemplate("web");
      const labels = { ...metadata?.labels, "pod-template-hash": "mine" };
      await scene.create(replicaSets, {
        metadata: { name: "web-mine", labels },
        spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      });
      await rollOut(scene, deployment(1));
    },
  },
];
