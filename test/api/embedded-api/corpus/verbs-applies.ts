import {
  apply,
  applyYaml,
  claim,
  claims,
  configMap,
  create,
  deployment,
  deployments,
  each,
  get,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  rows,
  update,
} from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const a = (data: Record<string, unknown>, metadata: Record<string, unknown> = {}) => configMap("a", { data }, metadata);

export const applySequences: readonly Sequence[] = rows("an apply", {
  "makes what is not there": [apply(`${maps}/a`, a({ x: "1" })), get(`${maps}/a`)],
  "of the same again": [apply(`${maps}/a`, a({ x: "1" })), apply(`${maps}/a`, a({ x: "1" }))],
  "takes back what it leaves out": [apply(`${maps}/a`, a({ x: "1", y: "2" })), apply(`${maps}/a`, a({ x: "1" }))],
  "by two who agree": [apply(`${maps}/a`, a({ x: "1" })), apply(`${maps}/a`, a({ x: "1" }), { manager: "bob" })],
  "by two who do not": [apply(`${maps}/a`, a({ x: "1" })), apply(`${maps}/a`, a({ x: "2" }), { manager: "bob" })],
  "by force": [
    apply(`${maps}/a`, a({ x: "1" })),
    apply(`${maps}/a`, a({ x: "2" }), { manager: "bob", force: true }),
    apply(`${maps}/a`, a({ x: "1" })),
  ],
  "of what two own, left by one": [
    apply(`${maps}/a`, a({ x: "1", y: "1" })),
    apply(`${maps}/a`, a({ x: "1" }), { manager: "bob" }),
    apply(`${maps}/a`, a({ y: "1" })),
    apply(`${maps}/a`, a({}), { manager: "bob" }),
  ],
  "after a create": [create(maps, a({ x: "1" })), apply(`${maps}/a`, a({ x: "1" })), apply(`${maps}/a`, a({ x: "2" }))],
  "after an update": [
    apply(`${maps}/a`, a({ x: "1" })),
    update(`${maps}/a?fieldManager=ed`, a({ x: "2" })),
    apply(`${maps}/a`, a({ x: "3" })),
    apply(`${maps}/a`, a({ x: "3" }), { force: true }),
  ],
  "as a dry run": [apply(`${maps}/a`, a({ x: "1" }), { more: "&dryRun=All" }), get(`${maps}/a`)],
  "with no manager": [patch(`${maps}/a`, applyYaml, a({ x: "1" }))],
  "with an empty manager": [patch(`${maps}/a?fieldManager=`, applyYaml, a({ x: "1" }))],
  "with a long manager": [apply(`${maps}/a`, a({ x: "1" }), { manager: "m".repeat(129) })],
  "of YAML": [
    patch(
      `${maps}/a?fieldManager=ann`,
      applyYaml,
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: '1'\n",
    ),
  ],
  "of no YAML": [patch(`${maps}/a?fieldManager=ann`, applyYaml, "a: b: c")],
  "of a list": [patch(`${maps}/a?fieldManager=ann`, applyYaml, "[]")],
  "of a text": [patch(`${maps}/a?fieldManager=ann`, applyYaml, "x")],
  "of nothing": [patch(`${maps}/a?fieldManager=ann`, applyYaml, "")],
  "without a kind": [apply(`${maps}/a`, { apiVersion: "v1", metadata: { name: "a" } })],
  "without a version": [apply(`${maps}/a`, { kind: "ConfigMap", metadata: { name: "a" } })],
  "of another kind": [apply(`${maps}/a`, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } })],
  "of another version": [apply(`${maps}/a`, { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } })],
  "of a kind that is none": [apply(`${maps}/a`, { apiVersion: "x/v1", kind: "Nothing", metadata: { name: "a" } })],
  "without a name": [apply(`${maps}/a`, { apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } })],
  "of another name": [apply(`${maps}/a`, configMap("b"))],
  "of another namespace": [apply(`${maps}/a`, a({}, { namespace: "other" }))],
  "with managed fields": [apply(`${maps}/a`, a({}, { managedFields: [{ manager: "x" }] }))],
  "with empty managed fields": [apply(`${maps}/a`, a({}, { managedFields: [] }))],
  "with a uid": [apply(`${maps}/a`, a({}, { uid: "5d1cf4e5-3f3c-4d2b-9f3a-1a2b3c4d5e6f" }))],
  "with a version that it has": [
    create(maps, a({})),
    apply(`${maps}/a`, a({ x: "1" }, { resourceVersion: "{0.metadata.resourceVersion}" })),
  ],
  "with a version that it has not": [create(maps, a({})), apply(`${maps}/a`, a({ x: "1" }, { resourceVersion: "1" }))],
  "with a version of nothing": [apply(`${maps}/a`, a({ x: "1" }, { resourceVersion: "1" }))],
  "with a creation time": [apply(`${maps}/a`, a({}, { creationTimestamp: "2001-01-01T00:00:00Z" }))],
  "with a creation time of null": [apply(`${maps}/a`, a({}, { creationTimestamp: null }))],
  "of unknown fields": [apply(`${maps}/a`, { ...a({}), unknown: 1 })],
  "of unknown fields, strictly": [apply(`${maps}/a`, { ...a({}), unknown: 1 }, { more: "&fieldValidation=Strict" })],
  "of a wrong type": [apply(`${maps}/a`, configMap("a", { data: "x" }))],
  "of a number for a text": [apply(`${maps}/a`, configMap("a", { data: { x: 1 } }))],
  "of null for a text": [apply(`${maps}/a`, configMap("a", { data: { x: null } }))],
  "of null for a map": [apply(`${maps}/a`, configMap("a", { data: null }))],
  "of labels and finalizers": [
    apply(`${maps}/a`, a({}, { labels: { x: "1" }, finalizers: ["example.test/x"] })),
    apply(`${maps}/a`, a({}, { labels: { y: "1" }, finalizers: ["example.test/y"] }), { manager: "bob" }),
    apply(`${maps}/a`, a({})),
  ],
  "of owners": [
    apply(`${maps}/a`, a({}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] })),
    apply(`${maps}/a`, a({}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "q", uid: "v" }] }), {
      manager: "bob",
    }),
    apply(`${maps}/a`, a({})),
  ],
  "of something invalid": [apply(`${maps}/a`, a({ "a b": "x" }))],
  "of a name that is none": [apply(`${maps}/A`, configMap("A"))],
  "in no namespace": [apply("/api/v1/namespaces/nowhere-{id}/configmaps/a", a({}))],
  "of what is being deleted": [
    create(maps, a({}, { finalizers: ["example.test/x"] })),
    remove(`${maps}/a`),
    apply(`${maps}/a`, a({ x: "1" })),
  ],
  "after managed fields were forgotten": [
    apply(`${maps}/a`, a({ x: "1" })),
    patch(`${maps}/a`, mergePatch, { metadata: { managedFields: [{}] } }),
    apply(`${maps}/a`, a({ x: "2" })),
  ],
});

const container = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  image: `example.test/${name}:1`,
  ...more,
});
const withContainers = (...containers: unknown[]) =>
  deployment("a", {
    template: { metadata: { labels: { app: "a" } }, spec: { containers } },
  });

export const structuredApplies: readonly Sequence[] = rows("an apply", {
  "of a Deployment": [apply(`${deployments}/a`, deployment("a")), get(`${deployments}/a`)],
  "of containers by several": [
    apply(`${deployments}/a`, withContainers(container("main"))),
    apply(`${deployments}/a`, withContainers(container("side")), { manager: "bob" }),
    apply(`${deployments}/a`, withContainers(container("main", { image: "example.test/main:2" }))),
    apply(`${deployments}/a`, withContainers(container("main")), { manager: "bob", force: true }),
  ],
  "of ports by their keys": [
    apply(`${deployments}/a`, withContainers(container("main", { ports: [{ containerPort: 80 }] }))),
    apply(`${deployments}/a`, withContainers(container("main", { ports: [{ containerPort: 80, protocol: "UDP" }] })), {
      manager: "bob",
    }),
    apply(`${deployments}/a`, withContainers(container("main", { ports: [{ containerPort: 80, name: "web" }] }))),
  ],
  "of env": [
    apply(
      `${deployments}/a`,
      withContainers(
        container("main", {
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "2" },
          ],
        }),
      ),
    ),
    apply(
      `${deployments}/a`,
      withContainers(
        container("main", {
          env: [
            { name: "C", value: "3" },
            { name: "A", value: "1" },
          ],
        }),
      ),
      { manager: "bob" },
    ),
    apply(`${deployments}/a`, withContainers(container("main", { env: [{ name: "B", value: "2" }] }))),
  ],
  "of an item twice": [apply(`${deployments}/a`, withContainers(container("main"), container("main")))],
  "of an item without its key": [apply(`${deployments}/a`, withContainers({ image: "x" }))],
  "of a whole list": [
    apply(`${deployments}/a`, withContainers(container("main", { args: ["a", "b"] }))),
    apply(`${deployments}/a`, withContainers(container("main", { args: ["c"] })), { manager: "bob" }),
    apply(`${deployments}/a`, withContainers(container("main", { args: ["c"] })), { manager: "bob", force: true }),
    apply(`${deployments}/a`, withContainers(container("main"))),
  ],
  "of replicas, scaled by another": [
    apply(`${deployments}/a`, deployment("a", { replicas: 1 })),
    patch(`${deployments}/a?fieldManager=scaler`, mergePatch, { spec: { replicas: 5 } }),
    apply(`${deployments}/a`, deployment("a")),
    apply(`${deployments}/a`, deployment("a", { replicas: 1 })),
  ],
  "of a claim": [
    apply(`${claims}/a`, claim("a")),
    apply(`${claims}/a`, claim("a", { resources: { requests: { storage: "1024Mi" } } }), { manager: "bob" }),
  ],
  "of a Pod and then of its status": [
    apply(`${pods}/a`, pod("a")),
    apply(
      `${pods}/a/status`,
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, status: { phase: "Running" } },
      { manager: "kubelet" },
    ),
    apply(`${pods}/a`, pod("a", { labels: { x: "y" } })),
  ],
  "of a status of nothing": [
    apply(`${pods}/z/status`, { apiVersion: "v1", kind: "Pod", metadata: { name: "z" }, status: {} }),
  ],
});

export const upgradeSequences: readonly Sequence[] = [
  ...each("an apply after what kubectl wrote, by", ["kubectl", "kubectl-client-side-apply", "other"], (manager) => [
    {
      send: `POST ${maps}?fieldManager=${manager}`,
      body: a({ x: "1" }, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } }),
    },
    apply(`${maps}/a`, a({ x: "2" }), { manager: "kubectl" }),
    apply(`${maps}/a`, a({ y: "2" }), { manager: "kubectl" }),
  ]),
];
