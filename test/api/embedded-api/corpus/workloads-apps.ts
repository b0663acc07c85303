import {
  apply,
  create,
  deployment,
  deployments,
  type Fields,
  get,
  jsonPatch,
  mergePatch,
  patch,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const apps = "/apis/apps/v1/namespaces/{ns}";
const controllers = "/api/v1/namespaces/{ns}/replicationcontrollers";

/** An object of each kind, by what is to be different in its spec. */
const workload = (kind: string, name: string, spec: Fields = {}, metadata: Fields = {}) => ({
  ...deployment(name, spec, metadata),
  kind,
});
const controller = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "ReplicationController",
  metadata: { name: "w", ...metadata },
  spec: { selector: { app: "w" }, template: template(), ...spec },
});
const template = (spec: Fields = {}, metadata: Fields = { labels: { app: "w" } }) => ({
  metadata,
  spec: { containers: [{ name: "main", image: "example.test/app:1" }], ...spec },
});

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly object: (spec?: Fields, metadata?: Fields) => Fields;
}

const kindOf = (name: string, plural: string): Kind => ({
  name,
  path: `${apps}/${plural}`,
  object: (spec, metadata) => workload(name, "w", spec, metadata),
});
const kinds: readonly Kind[] = [
  kindOf("Deployment", "deployments"),
  kindOf("ReplicaSet", "replicasets"),
  kindOf("DaemonSet", "daemonsets"),
  kindOf("StatefulSet", "statefulsets"),
  { name: "ReplicationController", path: controllers, object: controller },
];

const selector = (fields: unknown) => ({ selector: fields });
const expression = (requirement: Fields) => selector({ matchExpressions: [requirement] });

/** What is the same of all of them, or should be. */
const specs: Readonly<Record<string, Fields>> = {
  little: {},
  zeros: { replicas: 0, minReadySeconds: 0 },
  "a negative number of replicas": { replicas: -1 },
  "no Pod for too short": { minReadySeconds: -1 },
  "a history": { revisionHistoryLimit: 0 },
  "a negative history": { revisionHistoryLimit: -1 },
  "no selector": { selector: null },
  "an empty selector": selector({}),
  "a selector of others": selector({ matchLabels: { app: "other" } }),
  "no template": { template: null },
  "a template without labels": { template: template({}, {}) },
  "a template of bad labels": { template: template({}, { labels: { app: "w", "a b": "c d" } }) },
  "a template of bad annotations": { template: template({}, { labels: { app: "w" }, annotations: { "a b": "" } }) },
  "Pods that end": { template: template({ restartPolicy: "Never" }) },
  "Pods that end in time": { template: template({ activeDeadlineSeconds: 5 }) },
  "Pods without containers": { template: template({ containers: [] }) },
  "Pods of an account": { template: template({ serviceAccountName: "robot" }) },
  "Pods that ask for something": {
    template: template({
      containers: [
        { name: "main", image: "example.test/app", resources: { requests: { cpu: "0.5" }, limits: { memory: "1Gi" } } },
      ],
    }),
  },
  "an unknown field": { colour: "red" },
};

const common = kinds.flatMap(({ name, path, object }) => [
  ...rows(
    `a ${name} with`,
    Object.fromEntries(Object.entries(specs).map(([what, spec]) => [what, [create(path, object(spec))]])),
  ),
  ...rows(
    `a ${name}`,
    {
      "is scaled": patch(`${path}/w`, mergePatch, { spec: { replicas: 3 } }),
      "is scaled below nothing": patch(`${path}/w`, mergePatch, { spec: { replicas: -3 } }),
      "gets another image": patch(`${path}/w`, strategicPatch, {
        spec: { template: { spec: { containers: [{ name: "main", image: "example.test/app:2" }] } } },
      }),
      "gets a label": patch(`${path}/w`, mergePatch, { metadata: { labels: { a: "b" } } }),
      "gets an annotation": patch(`${path}/w`, mergePatch, { metadata: { annotations: { a: "b" } } }),
      "is told of its status with a spec": patch(`${path}/w/status`, mergePatch, {
        metadata: { labels: { a: "b" }, annotations: { a: "b" } },
        spec: { replicas: 7 },
        status: { observedGeneration: 1 },
      }),
      "has a status of zeros": patch(`${path}/w/status`, mergePatch, {
        status: { replicas: 0, observedGeneration: 0, conditions: [] },
      }),
      "gets a status in its spec": patch(`${path}/w`, mergePatch, { status: { observedGeneration: 7 } }),
      "is replaced by itself": update(`${path}/w`, object()),
      "is replaced by less": update(`${path}/w`, object({ template: template({ containers: [] }) })),
      "loses its template": patch(`${path}/w`, jsonPatch, [{ op: "remove", path: "/spec/template" }]),
      "gets another generation": patch(`${path}/w`, mergePatch, { metadata: { generation: 7 } }),
      goes: [remove(`${path}/w`), get(`${path}/w`)],
    },
    [create(path, object())],
  ),
  ...rows(`a ${name} that is applied`, {
    "is there": [
      apply(`${path}/w`, object()),
      apply(`${path}/w`, object({ minReadySeconds: 5 })),
      apply(`${path}/w`, object({ replicas: 2 }), { manager: "ben" }),
      apply(`${path}/w`, object({ replicas: 3 }), { manager: "ann" }),
    ],
  }),
]);

const named = rows(
  "a workload named",
  Object.fromEntries(
    kinds.flatMap(({ name, path, object }) =>
      ["a.b", "A", "-", "x".repeat(64)].map((text): [string, Step] => [
        `${text} that is a ${name}`,
        create(path, object({}, { name: text })),
      ]),
    ),
  ),
);

const selectors = rows(
  "a selector",
  Object.fromEntries(
    kinds.slice(0, 4).flatMap(({ name, path, object }) =>
      Object.entries({
        "of expressions": expression({ key: "app", operator: "In", values: ["w"] }),
        "that needs a value": expression({ key: "app", operator: "In" }),
        "that takes no value": expression({ key: "app", operator: "Exists", values: ["w"] }),
        "with an unknown operator": expression({ key: "app", operator: "Is", values: ["w"] }),
        "with a bad key": expression({ key: "a b", operator: "Exists" }),
        "with a bad value": expression({ key: "app", operator: "NotIn", values: ["a b"] }),
        "with a bad label": selector({ matchLabels: { app: "a b" } }),
      }).map(([what, spec]): [string, Step] => [`${what} of a ${name}`, create(path, object(spec))]),
    ),
  ),
);

const settledSelectors = kinds.flatMap(({ name, path, object }) =>
  rows(
    `the selector of a ${name}`,
    {
      "that changes": patch(`${path}/w`, mergePatch, {
        spec: {
          selector: name === "ReplicationController" ? { a: "b" } : { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } } },
        },
      }),
      "that goes": patch(`${path}/w`, mergePatch, { spec: { selector: null } }),
    },
    [create(path, object())],
  ),
);

const strategies = rows(
  "a Deployment that goes on",
  Object.fromEntries(
    Object.entries({
      "by recreation": { type: "Recreate" },
      "by recreation in parts": { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
      "in parts": { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
      "in numbers": { rollingUpdate: { maxUnavailable: 0, maxSurge: 3 } },
      "in per cents": { rollingUpdate: { maxUnavailable: "10%", maxSurge: "110%" } },
      "in too many per cents": { rollingUpdate: { maxUnavailable: "110%" } },
      "in words": { rollingUpdate: { maxUnavailable: "some", maxSurge: "5" } },
      "not at all": { rollingUpdate: { maxUnavailable: 0, maxSurge: "0%" } },
      "in less than nothing": { rollingUpdate: { maxUnavailable: -1, maxSurge: -1 } },
      "in its own way": { type: "Own" },
      "in its own parts": { type: "Own", rollingUpdate: { maxUnavailable: 1, maxSurge: "5%" } },
      "in no way": { type: "" },
    }).map(([what, strategy]) => [what, create(deployments, deployment("w", { strategy }))]),
  ),
);

const deadlines = rows("a Deployment with", {
  "a deadline": create(deployments, deployment("w", { progressDeadlineSeconds: 5 })),
  "a negative deadline": create(deployments, deployment("w", { progressDeadlineSeconds: -5 })),
  "a deadline before it is ready": create(
    deployments,
    deployment("w", { progressDeadlineSeconds: 5, minReadySeconds: 5 }),
  ),
  "a pause": create(deployments, deployment("w", { paused: true })),
  "no pause": create(deployments, deployment("w", { paused: false })),
});

const daemonSets = `${apps}/daemonsets`;
const daemonSet = (spec: Fields, metadata: Fields = {}) => workload("DaemonSet", "w", spec, metadata);
const generation = "deprecated.daemonset.template.generation";

const daemons = rows("a DaemonSet that goes on", {
  ...Object.fromEntries(
    Object.entries({
      "when Pods go": { type: "OnDelete" },
      "when Pods go, in parts": { type: "OnDelete", rollingUpdate: { maxSurge: 1 } },
      "with more Pods": { rollingUpdate: { maxUnavailable: 0, maxSurge: "50%" } },
      "with more and less": { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      "with neither": { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
      "with too many": { rollingUpdate: { maxUnavailable: "101%" } },
      "with words": { rollingUpdate: { maxUnavailable: "some" } },
      "with less than nothing": { rollingUpdate: { maxUnavailable: -1 } },
      "in its own way": { type: "Own" },
    }).map(([what, updateStrategy]) => [what, create(daemonSets, daemonSet({ updateStrategy }))]),
  ),
  "with its own generation": [
    create(daemonSets, daemonSet({}, { annotations: { [generation]: "5" } })),
    patch(`${daemonSets}/w`, mergePatch, { metadata: { annotations: { [generation]: "9" } } }),
    patch(`${daemonSets}/w`, mergePatch, { spec: { template: { metadata: { annotations: { a: "b" } } } } }),
    patch(`${daemonSets}/w`, mergePatch, { spec: { minReadySeconds: 5 } }),
  ],
});

const statefulSets = `${apps}/statefulsets`;
const statefulSet = (spec: Fields) => workload("StatefulSet", "w", spec);
const claimTemplate = (spec: Fields = {}, metadata: Fields = { name: "data" }) => ({
  volumeClaimTemplates: [
    { metadata, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec } },
  ],
});
const mounted = template({
  containers: [{ name: "main", image: "example.test/app:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
});

const sets = rows(
  "a StatefulSet with",
  Object.fromEntries(
    Object.entries<Fields>({
      "a service": { serviceName: "w" },
      "a service that is none": { serviceName: "W.x" },
      "Pods at once": { podManagementPolicy: "Parallel" },
      "Pods in its own way": { podManagementPolicy: "Own" },
      "updates when Pods go": { updateStrategy: { type: "OnDelete" } },
      "updates when Pods go, in parts": { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } },
      "updates in parts": { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 3 } } },
      "updates without parts": { updateStrategy: { type: "RollingUpdate" } },
      "updates in less than nothing": { updateStrategy: { rollingUpdate: { partition: -1 } } },
      "updates of several": { updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } },
      "updates in its own way": { updateStrategy: { type: "Own" } },
      "claims that go": { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } },
      "claims that go its own way": { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Own", whenScaled: "" } },
      "another first number": { ordinals: { start: 5 } },
      "a negative first number": { ordinals: { start: -5 } },
      "an empty first number": { ordinals: {} },
      claims: claimTemplate(),
      "claims of a class": claimTemplate({ storageClassName: "fast", volumeMode: "Block" }),
      "claims without a size": claimTemplate({ resources: {} }),
      "claims of a broken size": claimTemplate({ resources: { requests: { storage: "1500m" } } }),
      "claims without modes": claimTemplate({ accessModes: [] }),
      "claims without a name": claimTemplate({}, {}),
      "claims that it mounts": { ...claimTemplate(), template: mounted },
      "mounts of nothing": { template: mounted },
      "Pods with names": { template: template({ hostname: "A_b", subdomain: "A_b" }) },
    }).map(([what, spec]) => [what, create(statefulSets, statefulSet(spec))]),
  ),
);

const settledSets = rows(
  "a StatefulSet that gets",
  Object.fromEntries(
    Object.entries<Fields>({
      "another service": { serviceName: "other" },
      "Pods at once": { podManagementPolicy: "Parallel" },
      claims: claimTemplate(),
      "other claims": { ...claimTemplate({ storageClassName: "slow" }) },
      "what it may get": {
        replicas: 2,
        minReadySeconds: 3,
        revisionHistoryLimit: -1,
        ordinals: { start: 1 },
        updateStrategy: { type: "OnDelete", rollingUpdate: null },
        persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
      },
    }).map(([what, spec]) => [what, patch(`${statefulSets}/w`, mergePatch, { spec })]),
  ),
  [create(statefulSets, statefulSet({ serviceName: "w" }))],
);

export const apps1: readonly Sequence[] = [...common, ...named];
export const apps2: readonly Sequence[] = [...selectors, ...settledSelectors, ...strategies, ...deadlines];
export const apps3: readonly Sequence[] = [...daemons, ...sets, ...settledSets];
