import { controllerRevisions, persistentVolumeClaims, pods, type StatefulSet, statefulSets } from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { imageOf, podTemplate, withImage } from "../workload-objects.ts";

const compares = [statefulSets, pods, controllerRevisions];
const events = ["StatefulSet"];
/** Until its copy says that a Pod is going, the controller deletes it again, and tells so again. */
const deletedTwice = { eventCounts: false } as const;
const isSeen = ({ metadata, status }: StatefulSet) => status?.observedGeneration === metadata.generation;

function db(replicas: number, more: Partial<StatefulSet["spec"]> = {}) {
  const selector = { matchLabels: { app: "db" } };
  return {
    metadata: { name: "db" },
    spec: { replicas, selector, serviceName: "db", template: podTemplate("db"), ...more },
  };
}

/** Of a class that nobody serves: they stay pending. */
const volumeClaimTemplates = [
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", labels: { kind: "data" } },
    spec: { storageClassName: "nobody", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
] as NonNullable<StatefulSet["spec"]>["volumeClaimTemplates"];

const isRunning = (count: number) => (set: StatefulSet) => {
  const { replicas, availableReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = set.status ?? {};
  const hasAll = [replicas, availableReplicas, updatedReplicas].every((each) => each === count);
  return isSeen(set) && hasAll && currentRevision === updateRevision;
};

async function start(scene: Scene, made: ReturnType<typeof db>): Promise<void> {
  scene.startKubelet();
  await scene.create(statefulSets, made);
  await scene.until(statefulSets, "db", isRunning(made.spec.replicas));
}

async function change(scene: Scene, replicas: number, patch: object): Promise<void> {
  await scene.patch(statefulSets, "db", patch);
  await scene.until(statefulSets, "db", isRunning(replicas));
}

export const members: Scenario[] = [
  { name: "one after the other", compares, events, run: (scene) => start(scene, db(3)) },
  {
    name: "the second waits for the first",
    compares,
    events,
    async run(scene) {
      await scene.create(statefulSets, db(2));
      await scene.until(statefulSets, "db", (set) => isSeen(set) && set.status?.replicas === 1);
    },
  },
  {
    name: "all at once",
    compares,
    events,
    async run(scene) {
      await scene.create(statefulSets, db(3, { podManagementPolicy: "Parallel" }));
      await scene.until(statefulSets, "db", (set) => isSeen(set) && set.status?.replicas === 3);
    },
  },
  { name: "from another number on", compares, events, run: (scene) => start(scene, db(2, { ordinals: { start: 5 } })) },
  {
    name: "fewer and more",
    compares,
    events,
    ...deletedTwice,
    async run(scene) {
      await start(scene, db(3));
      await change(scene, 1, { spec: { replicas: 1 } });
      await change(scene, 2, { spec: { replicas: 2 } });
    },
  },
  {
    name: "a Pod that failed is made anew, and one that is deleted, too",
    compares,
    events,
    ...deletedTwice,
    async run(scene) {
      await start(scene, db(2));
      const { metadata: failed } = await scene.get(pods, "db-1");
      await scene.patchStatus(pods, "db-1", { phase: "Failed", conditions: null });
      await scene.until(pods, "db-1", (pod) => pod.metadata.uid !== failed.uid);
      await scene.until(statefulSets, "db", isRunning(2));
      const { metadata: deleted } = await scene.get(pods, "db-0");
      await scene.remove(pods, "db-0");
      await scene.until(pods, "db-0", (pod) => pod.metadata.uid !== deleted.uid);
      await scene.until(statefulSets, "db", isRunning(2));
    },
  },
  {
    name: "available after a while only",
    compares,
    events,
    run: (scene) => start(scene, db(2, { minReadySeconds: 2 })),
  },
  {
    name: "a Pod that fits is adopted",
    compares,
    async run(scene) {
      await scene.create(pods, { metadata: { name: "db-0", labels: { app: "db" } }, spec: podTemplate("db").spec });
      scene.startKubelet();
      await scene.create(statefulSets, db(1));
      await scene.until(statefulSets, "db", isRunning(1));
    },
  },
];

export const updates: Scenario[] = [
  {
    name: "another template, from the last on",
    compares,
    events,
    ...deletedTwice,
    async run(scene) {
      await start(scene, db(2));
      await change(scene, 2, withImage("example.org/main:2"));
    },
  },
  {
    name: "down to the partition",
    compares,
    async run(scene) {
      await start(scene, db(3));
      const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 2 } };
      await scene.patch(statefulSets, "db", { spec: { updateStrategy, ...withImage("example.org/main:2").spec } });
      await scene.until(pods, "db-2", (pod) => imageOf(pod).endsWith(":2"));
      await scene.until(
        statefulSets,
        "db",
        ({ status }) => status?.updatedReplicas === 1 && status.readyReplicas === 3,
      );
      // What is under the partition comes back as it was.
      const { metadata } = await scene.get(pods, "db-0");
      await scene.remove(pods, "db-0");
      await scene.until(pods, "db-0", (pod) => pod.metadata.uid !== metadata.uid);
      await scene.until(
        statefulSets,
        "db",
        ({ status }) => status?.readyReplicas === 3 && status.currentReplicas === 2,
      );
    },
  },
  {
    name: "on deletion only",
    compares,
    async run(scene) {
      await start(scene, db(2, { updateStrategy: { type: "OnDelete" } }));
      await scene.patch(statefulSets, "db", withImage("example.org/main:2"));
      await scene.until(statefulSets, "db", ({ status }) => status?.currentRevision !== status?.updateRevision);
      await scene.remove(pods, "db-0");
      await scene.until(
        statefulSets,
        "db",
        ({ status }) => status?.updatedReplicas === 1 && status.readyReplicas === 2,
      );
    },
  },
  {
    name: "back and forth, with a short history",
    compares,
    async run(scene) {
      await start(scene, db(1, { revisionHistoryLimit: 1 }));
      for (const tag of ["2", "3", "4", "3"]) await change(scene, 1, withImage(`example.org/main:${tag}`));
      await scene.untilAll(controllerRevisions, ({ length }) => length === 2);
    },
  },
];

export const claims: Scenario[] = [
  {
    name: "each Pod has claims of its own, which stay",
    compares: [...compares, persistentVolumeClaims],
    events,
    async run(scene) {
      await start(scene, db(2, { volumeClaimTemplates }));
      await change(scene, 1, { spec: { replicas: 1 } });
    },
  },
  {
    name: "claims that go with the set belong to it",
    compares: [...compares, persistentVolumeClaims],
    async run(scene) {
      const persistentVolumeClaimRetentionPolicy = { whenDeleted: "Delete", whenScaled: "Retain" } as const;
      await start(scene, db(2, { volumeClaimTemplates, persistentVolumeClaimRetentionPolicy }));
      await scene.untilAll(persistentVolumeClaims, (all) =>
        all.every(({ metadata }) => metadata.ownerReferences?.length),
      );
    },
  },
  {
    name: "when the policy changes, claims change hands",
    compares: [...compares, persistentVolumeClaims],
    async run(scene) {
      await start(scene, db(2, { volumeClaimTemplates }));
      const whenDeleted = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } };
      await scene.patch(statefulSets, "db", { spec: whenDeleted });
      await scene.untilAll(persistentVolumeClaims, (all) =>
        all.every(({ metadata }) => metadata.ownerReferences?.length),
      );
      await scene.until(statefulSets, "db", isRunning(2));
    },
  },
];
