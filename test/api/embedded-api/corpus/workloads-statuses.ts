import { create, deployment, type Fields, mergePatch, patch, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const apps = "/apis/apps/v1/namespaces/{ns}";
const revisions = `${apps}/controllerrevisions`;

const set = (kind: string) => ({ ...deployment("w"), kind });
const budget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "w" },
  spec: { minAvailable: 1, selector: { matchLabels: { app: "w" } } },
};
const controller = {
  apiVersion: "v1",
  kind: "ReplicationController",
  metadata: { name: "w" },
  spec: { template: { metadata: { labels: { app: "w" } }, spec: { containers: [{ name: "a", image: "b" }] } } },
};

const told = (path: string, status: Fields): Step => patch(`${path}/w/status`, mergePatch, { status });

const counts: Readonly<Record<string, Fields>> = {
  counts: { replicas: 3, readyReplicas: 2, availableReplicas: 1, observedGeneration: 1 },
  "negative counts": { replicas: -1, readyReplicas: -1, availableReplicas: -1, observedGeneration: -1 },
  "more parts than a whole": { replicas: 1, readyReplicas: 2, availableReplicas: 3 },
  "less ready than available": { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
  "parts of updates": { replicas: 1, updatedReplicas: 2, currentReplicas: 2, fullyLabeledReplicas: 2 },
  "negative parts": { updatedReplicas: -1, currentReplicas: -1, fullyLabeledReplicas: -1, unavailableReplicas: -1 },
  "Pods that end": { replicas: 1, terminatingReplicas: 1 },
  "negative Pods that end": { replicas: 1, terminatingReplicas: -1 },
  "a negative count of collisions": { replicas: 1, collisionCount: -1 },
  conditions: {
    replicas: 1,
    conditions: [{ type: "Available", status: "True", reason: "", message: "" }],
  },
};

const nodes: Readonly<Record<string, Fields>> = {
  counts: { currentNumberScheduled: 1, desiredNumberScheduled: 2, numberReady: 1 },
  "negative counts": {
    currentNumberScheduled: -1,
    numberMisscheduled: -1,
    desiredNumberScheduled: -1,
    numberReady: -1,
    observedGeneration: -1,
    updatedNumberScheduled: -1,
    numberAvailable: -1,
    numberUnavailable: -1,
    collisionCount: -1,
  },
  conditions: { conditions: [{ type: "A", status: "True" }] },
};

const condition = {
  type: "DisruptionAllowed",
  status: "True",
  reason: "SufficientPods",
  message: "",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};
const budgets: Readonly<Record<string, Fields>> = {
  counts: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 },
  "negative counts": { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 },
  "a condition": { conditions: [condition] },
  "a condition twice": { conditions: [condition, condition] },
  "a bad condition": { conditions: [{ type: "a b", status: "Maybe", reason: "1", observedGeneration: -1 }] },
  "a condition without a reason": { conditions: [{ ...condition, reason: "" }] },
  "a Pod that goes": { disruptedPods: { a: "2020-01-01T00:00:00Z" } },
};

const tables: readonly (readonly [string, string, unknown, Readonly<Record<string, Fields>>])[] = [
  ["Deployment", `${apps}/deployments`, set("Deployment"), counts],
  ["ReplicaSet", `${apps}/replicasets`, set("ReplicaSet"), counts],
  ["StatefulSet", `${apps}/statefulsets`, set("StatefulSet"), counts],
  ["ReplicationController", "/api/v1/namespaces/{ns}/replicationcontrollers", controller, counts],
  ["DaemonSet", `${apps}/daemonsets`, set("DaemonSet"), nodes],
  ["PodDisruptionBudget", "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", budget, budgets],
];

export const statuses: readonly Sequence[] = tables.flatMap(([kind, path, object, table]) =>
  rows(
    `a ${kind} that has`,
    Object.fromEntries(
      Object.entries(table).map(([what, status]) => [what, [create(path, object), told(path, status)]]),
    ),
  ),
);

export const collisions: readonly Sequence[] = tables
  .filter(([kind]) => ["Deployment", "StatefulSet", "DaemonSet"].includes(kind))
  .flatMap(([kind, path, object]) =>
    rows(`the collisions of a ${kind}`, {
      "only rise": [
        create(path, object),
        told(path, { replicas: 1, collisionCount: 2 }),
        told(path, { collisionCount: 3 }),
        told(path, { collisionCount: 1 }),
        told(path, { collisionCount: null }),
      ],
    }),
  );

const revision = (more: Fields, metadata: Fields = {}) => ({
  apiVersion: "apps/v1",
  kind: "ControllerRevision",
  metadata: { name: "r", ...metadata },
  ...more,
});

export const histories: readonly Sequence[] = [
  ...rows("a ControllerRevision", {
    "with data": create(revisions, revision({ revision: 1, data: { z: 1, a: { y: [1, "x"] } } })),
    "without data": create(revisions, revision({ revision: 1 })),
    "with data of null": create(revisions, revision({ revision: 1, data: null })),
    "with a list": create(revisions, revision({ revision: 1, data: [1] })),
    "with a text": create(revisions, revision({ revision: 1, data: "a" })),
    "without a number": create(revisions, revision({ data: {} })),
    "with a negative number": create(revisions, revision({ revision: -1, data: {} })),
    "with a bad name": create(revisions, revision({ revision: 1, data: {} }, { name: "A" })),
    "with a bad label": create(revisions, revision({ revision: 1, data: {} }, { labels: { a: "b c" } })),
  }),
  ...rows(
    "a ControllerRevision that",
    {
      "gets another number": patch(`${revisions}/r`, mergePatch, { revision: 2 }),
      "gets a negative number": patch(`${revisions}/r`, mergePatch, { revision: -2 }),
      "gets other data": patch(`${revisions}/r`, mergePatch, { data: { b: "c" } }),
      "gets a bad label": patch(`${revisions}/r`, mergePatch, { metadata: { labels: { a: "b c" } } }),
      "is replaced": update(`${revisions}/r`, revision({ revision: 5, data: { a: 1 } })),
    },
    [create(revisions, revision({ revision: 1, data: { a: 1 } }))],
  ),
];
