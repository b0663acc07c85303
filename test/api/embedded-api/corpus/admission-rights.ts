import { soon } from "../admission-builders.ts";
import { apply, configMap, create, type Fields, get, maps, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

// Rights and classes of ingresses

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings";
const rbac = "rbac.authorization.k8s.io";
const role = (name: string, ...rules: Fields[]) => ({
  apiVersion: `${rbac}/v1`,
  kind: "Role",
  metadata: { name },
  rules,
});
const roleBinding = (name: string, roleName: string, user: string) => ({
  apiVersion: `${rbac}/v1`,
  kind: "RoleBinding",
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: "Role", name: roleName },
  subjects: [{ apiGroup: rbac, kind: "User", name: user }],
});
const someone = "user-{id}";
const writer: Step[] = [
  create(
    roles,
    role(
      "writer",
      { apiGroups: [rbac], resources: ["roles", "rolebindings"], verbs: ["*"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
    ),
  ),
  create(bindings, roleBinding("writer", "writer", someone)),
  { ...get(roles), as: someone, awaits: 200 },
];
const asSomeone = (step: Step): Step => ({ ...step, as: someone });

export const rightsSequences: readonly Sequence[] = rows(
  "who may write roles",
  {
    "gives what they hold": [
      asSomeone(create(roles, role("r", { apiGroups: [""], resources: ["pods"], verbs: ["get"] }))),
    ],
    "gives no more": [
      asSomeone(create(roles, role("r", { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "list"] }))),
    ],
    "adds no more": [
      asSomeone(create(roles, role("r", { apiGroups: [""], resources: ["pods"], verbs: ["get"] }))),
      asSomeone(update(`${roles}/r`, role("r", { apiGroups: [""], resources: ["pods"], verbs: ["delete"] }))),
      asSomeone(apply(`${roles}/new`, role("new", { apiGroups: [""], resources: ["pods"], verbs: ["delete"] }))),
    ],
    "binds no more": [
      create(roles, role("strong", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] })),
      asSomeone(create(bindings, roleBinding("b", "strong", someone))),
      asSomeone(create(bindings, roleBinding("c", "none", someone))),
      asSomeone(create(bindings, roleBinding("d", "writer", someone))),
    ],
  },
  writer,
);

export const creationSequences: readonly Sequence[] = rows(
  "who may not create",
  {
    "does not by update": [
      { ...update(`/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l`, { metadata: { name: "l" } }), as: someone },
    ],
    "does not by apply": [{ ...apply(`${maps}/a`, configMap("a")), as: someone }],
    "does not by a wrong object": [{ ...apply(`${maps}/a`, configMap("a", {}, { labels: { a: "-" } })), as: someone }],
  },
  [
    create(
      roles,
      role("u", {
        apiGroups: ["", "coordination.k8s.io"],
        resources: ["configmaps", "leases"],
        verbs: ["get", "list", "update", "patch"],
      }),
    ),
    create(bindings, roleBinding("u", "u", someone)),
    { ...get(maps), as: someone, awaits: 200 },
  ],
);

export const ingressSequences: readonly Sequence[] = [
  {
    name: "an Ingress without a class gets the default one",
    alone: true,
    steps: [
      create("/apis/networking.k8s.io/v1/ingressclasses", {
        metadata: { name: "i-{id}", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
        spec: { controller: "example.test/i" },
      }),
      soon(
        create(
          "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
          { metadata: { name: "a" }, spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
          "?dryRun=All",
        ),
        (answer: { spec?: { ingressClassName?: string } }) => answer.spec?.ingressClassName !== undefined,
      ),
    ],
  },
];
