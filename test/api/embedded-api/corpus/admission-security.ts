import {
  claim,
  claims,
  create,
  deployment,
  deployments,
  type Fields,
  get,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  rows,
  update,
} from "../builders.ts";
import type { Request, Sequence, Step } from "../sequence.ts";

// Pod security

const namespace = "/api/v1/namespaces/{ns}";
const labelled = (labels: Fields, query = ""): Request =>
  patch(`${namespace}${query}`, mergePatch, {
    metadata: {
      labels: Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
      ),
    },
  });

/** The server takes a moment to notice the labels: until it does, a Pod that uses the host is made, or not warned of. */
const hostly = create(pods, pod("none", {}, { hostNetwork: true, hostPID: true, hostIPC: true }), "?dryRun=All");
const enforced = (labels: Fields): Step[] => [labelled(labels), { ...hostly, awaits: 403 }];
const warned = (labels: Fields): Step[] => [
  labelled(labels),
  { ...hostly, awaits: (_answer, warnings) => warnings.length > 0 },
];

/** Nor does it know of new Pods at once: this one is among those that it warns of when the labels would change. */
const noticed = (name: string): Request => ({
  ...labelled({ enforce: "baseline" }, "?dryRun=All"),
  awaits: (_answer, warnings) => warnings.some((text) => text.includes(`"${name}:`) || text.includes(`"${name} (`)),
});

const secured = (context: Fields, more: Fields = {}) => ({
  containers: [{ name: "main", image: "example.test/app:1", securityContext: context }],
  ...more,
});
const volumesOf = (...sources: Fields[]) => ({
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const strict = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};
const two = (first: Fields, second: Fields, more: Fields = {}) => ({
  containers: [
    { name: "x", image: "i", securityContext: first },
    { name: "y", image: "i", securityContext: second },
  ],
  ...more,
});

/** What the levels have an opinion on, by what it is about. */
const specs: Readonly<Record<string, Fields>> = {
  nothing: {},
  "all that is asked": secured(strict),
  "namespaces of the host": { hostNetwork: true, hostPID: true, hostIPC: true },
  "a path of the host": volumesOf({ hostPath: { path: "/" } }),
  "paths of the host": volumesOf({ hostPath: { path: "/" } }, { hostPath: { path: "/x" } }),
  "other volumes": volumesOf(
    { nfs: { server: "s", path: "/" } },
    { emptyDir: {} },
    { iscsi: { targetPortal: "t", iqn: "iqn.2020-01.test:a", lun: 0 } },
  ),
  "a port of the host": { containers: [{ name: "main", image: "i", ports: [{ containerPort: 1, hostPort: 80 }] }] },
  "ports of the host": {
    containers: [
      {
        name: "x",
        image: "i",
        ports: [
          { containerPort: 1, hostPort: 80 },
          { containerPort: 2, hostPort: 8080, name: "b" },
        ],
      },
      { name: "y", image: "i", ports: [{ containerPort: 3, hostPort: 81 }] },
    ],
  },
  "a probe of others": {
    containers: [{ name: "main", image: "i", livenessProbe: { httpGet: { port: 1, host: "example.test" } } }],
  },
  "a hook to others": {
    containers: [
      {
        name: "main",
        image: "i",
        lifecycle: { preStop: { httpGet: { port: 1, host: "a.test" } } },
        readinessProbe: { tcpSocket: { port: 1, host: "b.test" } },
      },
    ],
  },
  everything: secured({ privileged: true }),
  "everything, twice": two({ privileged: true }, { privileged: true }),
  "a capability": secured({ capabilities: { add: ["SYS_ADMIN"] } }),
  capabilities: two(
    { capabilities: { add: ["NET_ADMIN", "CHOWN"] } },
    { capabilities: { add: ["SYS_TIME"], drop: ["ALL"] } },
  ),
  "a port below 1024": secured({ ...strict, capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } }),
  "no profile": secured({ seccompProfile: { type: "Unconfined" } }),
  "no profile at all": {
    ...secured({ seccompProfile: { type: "Unconfined" } }),
    securityContext: { seccompProfile: { type: "Unconfined" } },
  },
  "no guard": secured({ appArmorProfile: { type: "Unconfined" } }),
  "a type of SELinux": secured({ seLinuxOptions: { type: "spc_t", user: "u", role: "r" } }),
  "a type of SELinux for all": { securityContext: { seLinuxOptions: { type: "spc_t" } } },
  "settings of the kernel": {
    securityContext: {
      sysctls: [
        { name: "kernel.msgmax", value: "1" },
        { name: "net.ipv4.tcp_rmem", value: "1" },
      ],
    },
  },
  "an unmasked proc": secured({ procMount: "Unmasked" }, { hostUsers: false }),
  "users of its own": { ...secured({ ...strict, runAsNonRoot: undefined }), hostUsers: false },
  root: { ...secured(strict), securityContext: { runAsUser: 0 } },
  "root in a container": secured({ ...strict, runAsUser: 0 }),
  "not to be nobody": { ...secured({ ...strict, runAsNonRoot: false }), securityContext: { runAsNonRoot: false } },
  "to be nobody as a whole": {
    ...secured({ ...strict, runAsNonRoot: undefined, seccompProfile: undefined }),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  },
  "to rise": secured({ ...strict, allowPrivilegeEscalation: true }),
  Windows: { os: { name: "windows" } },
  "a host's process": {
    os: { name: "windows" },
    hostNetwork: true,
    securityContext: { windowsOptions: { hostProcess: true } },
  },
  "something for what runs first": {
    ...secured(strict),
    initContainers: [{ name: "w", image: "i", securityContext: { privileged: true } }],
  },
};

const table = () =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [`a Pod asks for ${name}`, [create(pods, pod("a", {}, spec))]]),
  );

export const securitySequences: readonly Sequence[] = [
  ...["baseline", "restricted"].flatMap((level) => rows(`enforced ${level}`, table(), enforced({ enforce: level }))),
  ...rows("what is only warned of", {
    "in a Pod": [...warned({ warn: "restricted" }), create(pods, pod("a"))],
    "in a Pod of an older version": [
      ...warned({ warn: "restricted", "warn-version": "v1.35" }),
      create(pods, pod("a")),
    ],
    "in a Deployment": [...enforced({ enforce: "restricted" }), create(deployments, deployment("a"))],
    "in a Deployment, when only Pods are refused": [
      ...enforced({ enforce: "restricted", warn: "privileged" }),
      create(deployments, deployment("a")),
    ],
    "in a CronJob": [
      ...warned({ warn: "baseline" }),
      create("/apis/batch/v1/namespaces/{ns}/cronjobs", {
        metadata: { name: "a" },
        spec: {
          schedule: "* * * * *",
          jobTemplate: {
            spec: {
              template: {
                spec: { restartPolicy: "Never", hostNetwork: true, containers: [{ name: "m", image: "i" }] },
              },
            },
          },
        },
      }),
    ],
    "in a template": [
      ...warned({ warn: "baseline" }),
      create("/api/v1/namespaces/{ns}/podtemplates", {
        metadata: { name: "a" },
        template: { spec: { hostPID: true, containers: [{ name: "m", image: "i" }] } },
      }),
    ],
    "though something else is enforced": [
      ...enforced({ enforce: "baseline", warn: "restricted" }),
      create(pods, pod("a")),
    ],
    "and what is noted down": [labelled({ audit: "restricted" }), create(pods, pod("a"))],
  }),
  ...rows("the labels of a namespace", {
    "are levels": [labelled({ enforce: "high" })],
    "are levels, all of them": [labelled({ enforce: "high", audit: "low", warn: "none" })],
    "are versions": [labelled({ "enforce-version": "1.2", "audit-version": "v2.0", "warn-version": "x" })],
    "are levels when it is made": [
      create("/api/v1/namespaces", {
        metadata: { name: "more-{id}", labels: { "pod-security.kubernetes.io/warn": "x" } },
      }),
    ],
    "may become stricter": [
      create(pods, pod("a", {}, { hostNetwork: true })),
      create(pods, pod("b", {}, { hostNetwork: true })),
      create(pods, pod("c", {}, secured({ privileged: true }))),
      create(pods, pod("d", {}, secured(strict))),
      // In the order in which they were made.
      noticed("c"),
      labelled({ enforce: "baseline" }),
      labelled({ enforce: "restricted" }),
      labelled({ enforce: "baseline" }),
      labelled({ enforce: "privileged" }),
    ],
    "do not touch what is there": [
      create(pods, pod("a", {}, { hostNetwork: true })),
      noticed("a"),
      ...enforced({ enforce: "baseline" }),
      patch(`${pods}/a`, mergePatch, { metadata: { labels: { a: "b" } } }),
      patch(`${pods}/a`, mergePatch, { spec: { containers: [{ name: "main", image: "example.test/app:2" }] } }),
    ],
  }),
];

// Nodes

const rbac = "rbac.authorization.k8s.io";
const nodes = "/api/v1/nodes";
const node = "n-{id}";
const asNode = (step: Request): Request => ({ ...step, as: `system:node:${node}`, groups: ["system:nodes"] });
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
const owner = { apiVersion: "v1", kind: "Node", name: node, uid: "{2.metadata.uid}", controller: true };

/** What the node authorizer lets nodes do, given by a role, since only what they write is looked at here. */
const rights: readonly Step[] = [
  create(`/apis/${rbac}/v1/clusterroles`, {
    metadata: { name: "node-{id}" },
    rules: [
      {
        apiGroups: [""],
        resources: [
          "pods",
          "pods/status",
          "pods/eviction",
          "pods/binding",
          "nodes",
          "nodes/status",
          "persistentvolumeclaims",
          "persistentvolumeclaims/status",
        ],
        verbs: ["*"],
      },
      { apiGroups: ["coordination.k8s.io", "storage.k8s.io"], resources: ["leases", "csinodes"], verbs: ["*"] },
    ],
  }),
  create(`/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: "node-{id}" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "node-{id}" },
    subjects: [{ apiGroup: rbac, kind: "User", name: `system:node:${node}` }],
  }),
  create(nodes, { metadata: { name: node } }),
  { ...asNode(get(`${claims}?limit=1`)), awaits: 200 },
];

const bind = (name: string, to: string) =>
  create(`${pods}/${name}/binding`, { metadata: { name }, target: { kind: "Node", name: to } });
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";

export const nodeSequences: readonly Sequence[] = rows(
  "a node",
  {
    "shows its own Pods": [asNode(create(pods, pod("a", { ...mirror, ownerReferences: [owner] }, { nodeName: node })))],
    "makes no other Pods": [asNode(create(pods, pod("a", {}, { nodeName: node, serviceAccountName: "" })))],
    "shows no Pods of others": [
      asNode(create(pods, pod("a", { ...mirror, ownerReferences: [owner] }, { nodeName: "other" }))),
    ],
    "owns its Pods": [asNode(create(pods, pod("a", mirror, { nodeName: node })))],
    "owns its Pods alone": [
      asNode(
        create(
          pods,
          pod(
            "a",
            { ...mirror, ownerReferences: [owner, { ...owner, uid: "x", controller: false }] },
            { nodeName: node },
          ),
        ),
      ),
    ],
    "owns its Pods by its name": [
      asNode(create(pods, pod("a", { ...mirror, ownerReferences: [{ ...owner, name: "other" }] }, { nodeName: node }))),
    ],
    "controls its Pods": [
      asNode(
        create(pods, pod("a", { ...mirror, ownerReferences: [{ ...owner, controller: false }] }, { nodeName: node })),
      ),
    ],
    "holds nobody up": [
      asNode(
        create(
          pods,
          pod("a", { ...mirror, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }, { nodeName: node }),
        ),
      ),
    ],
    "is itself": [
      asNode(create(pods, pod("a", { ...mirror, ownerReferences: [{ ...owner, uid: "other" }] }, { nodeName: node }))),
    ],
    "deletes its Pods": [create(pods, pod("a")), bind("a", node), { ...asNode(remove(`${pods}/a`)), awaits: 200 }],
    "deletes no Pods of others": [create(pods, pod("a")), bind("a", "other"), asNode(remove(`${pods}/a`))],
    "changes no Pods": [
      create(pods, pod("a")),
      asNode(patch(`${pods}/a`, mergePatch, { metadata: { labels: { a: "b" } } })),
    ],
    "tells of its Pods": [
      create(pods, pod("a")),
      bind("a", node),
      asNode(patch(`${pods}/a/status`, mergePatch, { status: { phase: "Running" } })),
    ],
    "tells nothing else": [
      create(pods, pod("a")),
      bind("a", node),
      asNode(patch(`${pods}/a/status`, mergePatch, { metadata: { labels: { a: "b" } } })),
    ],
    "tells nothing of others": [
      create(pods, pod("a")),
      bind("a", "other"),
      asNode(patch(`${pods}/a/status`, mergePatch, { status: { phase: "Running" } })),
    ],
    "evicts nobody elsewhere": [
      create(pods, pod("a")),
      bind("a", "other"),
      asNode(create(`${pods}/a/eviction`, { metadata: { name: "a" } })),
    ],
    "binds nobody": [create(pods, pod("a")), asNode(bind("a", node))],
    "labels itself": [
      asNode(patch(`${nodes}/${node}`, mergePatch, { metadata: { labels: { a: "b", "kubernetes.io/os": "linux" } } })),
    ],
    "labels itself only so far": [
      asNode(
        patch(`${nodes}/${node}`, mergePatch, {
          metadata: { labels: { "x.kubernetes.io/a": "b", "a.node-restriction.kubernetes.io/c": "d" } },
        }),
      ),
    ],
    "has its taints": [asNode(patch(`${nodes}/${node}`, mergePatch, { spec: { taints: null } }))],
    "has its owners": [
      asNode(
        patch(`${nodes}/${node}`, mergePatch, {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] },
        }),
      ),
    ],
    "is not another": [asNode(create(nodes, { metadata: { name: "other-{id}" } }))],
    "registers itself": [
      remove(`${nodes}/${node}`),
      asNode(create(nodes, { metadata: { name: node, labels: { "y.k8s.io/a": "b" } } })),
      asNode(create(nodes, { metadata: { name: node, labels: { "kubernetes.io/hostname": "h" } } })),
    ],
    "tells of itself": [
      asNode(
        patch(`${nodes}/${node}/status`, mergePatch, { status: { conditions: [{ type: "Ready", status: "True" }] } }),
      ),
    ],
    "has no lease here": [asNode(create(leases, { metadata: { name: node } }))],
    "has its own CSINode": [
      asNode(
        create(csiNodes, { metadata: { name: node }, spec: { drivers: [{ name: "example.test", nodeID: "n" }] } }),
      ),
      asNode(create(csiNodes, { metadata: { name: "other-{id}" }, spec: { drivers: [] } })),
    ],
    "changes no claim": [
      create(claims, claim("a")),
      asNode(patch(`${claims}/a`, mergePatch, { metadata: { labels: { a: "b" } } })),
    ],
    "tells how large a claim is": [
      create(claims, claim("a")),
      asNode(patch(`${claims}/a/status`, mergePatch, { status: { capacity: { storage: "2Gi" } } })),
    ],
    "deletes no other node": [
      asNode(update(`${nodes}/${node}`, { metadata: { name: node } })),
      asNode(remove(`${nodes}/other`)),
    ],
  },
  rights,
);
