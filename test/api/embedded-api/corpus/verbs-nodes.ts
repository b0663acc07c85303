import {
  claim,
  configMap,
  create,
  get,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  rows,
  secrets,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

/** What a node may: its own objects, and those that its Pods lead to. The real server learns of Pods a moment later. */
const node = "{id}one";
const other = "{id}two";
const as = (step: Step, name = node): Step => ({ ...step, as: `system:node:${name}`, groups: ["system:nodes"] });
const settled = (step: Step, name = node): Step => ({ ...as(step, name), awaits: 200 });

const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const volumes = "/api/v1/persistentvolumes";
const nodes = "/api/v1/nodes";
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";
const attachments = "/apis/storage.k8s.io/v1/volumeattachments";

const secret = (name: string) => ({ metadata: { name }, stringData: { a: "b" } });

/** On the node, with all that it may name. */
const user = pod(
  "user",
  {},
  {
    nodeName: node,
    containers: [
      {
        name: "main",
        image: "example.test/app:1",
        envFrom: [{ configMapRef: { name: "variables" } }, { secretRef: { name: "variables" } }],
        env: [{ name: "A", valueFrom: { secretKeyRef: { name: "one", key: "a" } } }],
      },
    ],
    volumes: [
      { name: "files", secret: { secretName: "files" } },
      { name: "part", projected: { sources: [{ secret: { name: "part" } }, { configMap: { name: "part" } }] } },
      { name: "data", persistentVolumeClaim: { claimName: "data" } },
    ],
  },
);

const volume = {
  metadata: { name: "{id}v" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    claimRef: { namespace: "{ns}", name: "data" },
    csi: {
      driver: "example.test",
      volumeHandle: "v",
      nodeStageSecretRef: { namespace: "{ns}", name: "stage" },
      controllerPublishSecretRef: { namespace: "{ns}", name: "attach" },
    },
  },
};

const scene: readonly Step[] = [
  ...["variables", "one", "files", "part", "stage", "attach", "lonely"].map((name) => create(secrets, secret(name))),
  ...["variables", "part", "lonely"].map((name) => create(maps, configMap(name))),
  create(claims, claim("data")),
  create(volumes, volume),
  create(pods, user),
  settled(get(`${secrets}/files`)),
];

/** Asked by the node itself, and by another. */
const both = (step: Step): readonly Step[] => [as(step), as(step, other)];

export const readSequences: readonly Sequence[] = rows(
  "a node reads",
  {
    "Secrets of variables": ["variables", "one", "part", "lonely"].flatMap((name) => both(get(`${secrets}/${name}`))),
    ConfigMaps: ["variables", "part", "lonely"].flatMap((name) => both(get(`${maps}/${name}`))),
    "a Secret that is not there": both(get(`${secrets}/nothing`)),
    "all Secrets": [...both(get(secrets)), ...both(get("/api/v1/secrets"))],
    "one Secret by selecting it": both(get(`${secrets}?fieldSelector=metadata.name%3Dfiles`)),
    "a claim": [...both(get(`${claims}/data`)), as(get(claims)), as(get(`${claims}/data/status`))],
    "a volume": [settled(get(`${volumes}/{id}v`)), as(get(`${volumes}/{id}v`), other), as(get(volumes))],
    "Secrets of a volume": [settled(get(`${secrets}/stage`)), ...both(get(`${secrets}/attach`))],
    "a Pod": [...both(get(`${pods}/user`)), as(get(pods)), as(get("/api/v1/pods")), as(get(`${pods}/user/log`))],
    "Pods by their node": [
      as(get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`)),
      as(get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${other}`)),
      as(get(`${pods}?fieldSelector=metadata.name%3Duser`)),
      as(get(`${pods}?fieldSelector=spec.nodeName!%3D${node}`)),
    ],
    "a service account": [...both(get(`${accounts}/default`)), as(get(accounts))],
    "other things": [
      as(get("/api/v1/namespaces/{ns}/services")),
      as(get("/apis/apps/v1/namespaces/{ns}/deployments")),
      as(get("/api/v1/namespaces")),
      as(get("/apis/storage.k8s.io/v1/csidrivers/{id}")),
      as(get("/healthz")),
      as(get("/metrics")),
    ],
  },
  scene,
);

const registered: readonly Step[] = [as(create(nodes, { metadata: { name: node } })), as(get(`${nodes}/${node}`))];

export const writeSequences: readonly Sequence[] = [
  ...rows(
    "a node writes",
    {
      Secrets: [as(create(secrets, secret("new"))), as(remove(`${secrets}/files`)), as({ send: `DELETE ${secrets}` })],
      "the status of a claim": [
        as(patch(`${claims}/data/status`, mergePatch, { status: { capacity: { storage: "1Gi" } } })),
        as(patch(`${claims}/data/status`, mergePatch, {}), other),
        as(patch(`${claims}/data`, mergePatch, {})),
      ],
      "the status of a Pod": [
        as(patch(`${pods}/user/status`, mergePatch, { status: { message: "a" } })),
        as(patch(`${pods}/user/status`, mergePatch, { status: { message: "b" } }), other),
        as(patch(`${pods}/user`, mergePatch, {})),
      ],
      "a Pod of its own": [as(create(pods, pod("new", {}, { nodeName: node })))],
      "a Pod away": [as(remove(`${pods}/user`), other), as(remove(`${pods}/user`, { gracePeriodSeconds: 0 }))],
      "a token of its Pod": [
        as(create(`${accounts}/default/token`, { spec: {} })),
        as(
          create(`${accounts}/default/token`, {
            spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "user" } },
          }),
        ),
        as(
          create(`${accounts}/default/token`, {
            spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "user", uid: "another" } },
          }),
        ),
        as(create(`${accounts}/default/token`, { spec: {} }), other),
        as(create(accounts, { metadata: { name: "new" } })),
      ],
    },
    scene,
  ),
  ...rows(
    "a node that is registered",
    {
      "reads Nodes": [
        as(get(nodes)),
        as(get(`${nodes}/${other}`)),
        as(get(`${nodes}?fieldSelector=metadata.name%3D${node}`)),
      ],
      "writes Nodes": [
        as(create(nodes, { metadata: { name: other } })),
        as(patch(`${nodes}/${node}`, mergePatch, { metadata: { labels: { a: "b" } } })),
        as(patch(`${nodes}/${node}/status`, mergePatch, { status: {} })),
        as(patch(`${nodes}/${node}`, mergePatch, { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } })),
        as(patch(`${nodes}/${node}`, mergePatch, {}), other),
        as(remove(`${nodes}/${node}`)),
      ],
      "has a lease": [
        as(create(leases, { metadata: { name: node }, spec: { holderIdentity: node } })),
        as(create(leases, { metadata: { name: other }, spec: {} })),
        as(get(`${leases}/${node}`)),
        as(get(`${leases}/${node}`), other),
        as(get(leases)),
        as(get("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a")),
      ],
      "has a CSINode": [
        as(create(csiNodes, { metadata: { name: node }, spec: { drivers: [] } })),
        as(create(csiNodes, { metadata: { name: other }, spec: { drivers: [] } })),
        as(get(`${csiNodes}/${node}`)),
        as(get(`${csiNodes}/${node}`), other),
        as(get(csiNodes)),
        as(remove(`${csiNodes}/${node}`), other),
        as(remove(`${csiNodes}/${node}`)),
      ],
      "has attachments": [
        create(attachments, {
          metadata: { name: "{id}a" },
          spec: { attacher: "example.test", nodeName: node, source: { persistentVolumeName: "{id}v" } },
        }),
        settled(get(`${attachments}/{id}a`)),
        as(get(`${attachments}/{id}a`), other),
        as(get(attachments)),
        as(patch(`${attachments}/{id}a/status`, mergePatch, {})),
      ],
    },
    registered,
  ),
];

export const identitySequences: readonly Sequence[] = rows("who is a node", {
  "without a name": [as(get(nodes), "")],
  // Without the group it depends on how the real server lets somebody act as another, which it remembers from one request to the next.
  "without the prefix": [{ ...get(`${nodes}/a`), as: "a", groups: ["system:nodes"] }],
  "and what it may list": [
    as(
      create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        spec: {
          resourceAttributes: {
            verb: "list",
            resource: "pods",
            fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: [node] }] },
          },
        },
      }),
    ),
    as(
      create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        spec: { resourceAttributes: { verb: "list", resource: "pods" } },
      }),
    ),
  ],
});
