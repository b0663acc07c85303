import { apply, create, each, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const group = "/apis/rbac.authorization.k8s.io/v1";
const object = (kind: string, more: Fields, metadata: Fields = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind,
  metadata: { name: "{id}", ...metadata },
  ...more,
});

interface Place {
  readonly kind: string;
  readonly path: string;
}

const roles: readonly Place[] = [
  { kind: "Role", path: `${group}/namespaces/{ns}/roles` },
  { kind: "ClusterRole", path: `${group}/clusterroles` },
];
const bindings: readonly Place[] = [
  { kind: "RoleBinding", path: `${group}/namespaces/{ns}/rolebindings` },
  { kind: "ClusterRoleBinding", path: `${group}/clusterrolebindings` },
];

const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const rules: Readonly<Record<string, Fields>> = {
  "no rules": {},
  "an empty list": { rules: [] },
  "a rule": { rules: [rule] },
  "a rule of names": { rules: [{ ...rule, resourceNames: ["a"] }] },
  "a rule without verbs": { rules: [{ ...rule, verbs: [] }] },
  "a rule without groups": { rules: [{ ...rule, apiGroups: [] }] },
  "a rule without resources": { rules: [{ ...rule, resources: null }] },
  "an empty rule": { rules: [rule, {}] },
  "a rule of paths": { rules: [{ verbs: ["get"], nonResourceURLs: ["/metrics"] }] },
  "a rule of paths and resources": { rules: [{ ...rule, nonResourceURLs: ["/metrics"] }] },
  "a rule of paths without verbs": { rules: [{ nonResourceURLs: ["/metrics"] }] },
};

/** The name that a sequence may write to, at the end of a path. */
const own = ({ path }: Place) => `${path}/{id}`;

export const rolesOf: readonly Sequence[] = roles.flatMap((place) => [
  ...rows(
    `a ${place.kind} with`,
    Object.fromEntries(
      Object.entries(rules).map(([what, more]) => [what, create(place.path, object(place.kind, more))]),
    ),
  ),
  ...each(`a ${place.kind} named like`, ["a:b", "A_b", "x/y", "50%"], (name) => [
    create(place.path, object(place.kind, {}, { name: `{id}${name}` })),
  ]),
  ...rows(
    `a ${place.kind} that`,
    {
      "gets a rule": patch(own(place), mergePatch, { rules: [rule, rule] }),
      "gets a bad rule": patch(own(place), mergePatch, { rules: [{}] }),
      "gets a bad label": patch(own(place), mergePatch, { metadata: { labels: { a: "b c" } } }),
      "loses its rules": patch(own(place), mergePatch, { rules: null }),
      "is replaced": update(own(place), object(place.kind, { rules: [rule] })),
      "is applied": apply(own(place), object(place.kind, { rules: [rule] }), { force: true }),
      goes: [remove(own(place)), get(own(place))],
    },
    [create(place.path, object(place.kind, { rules: [rule] }))],
  ),
  ...rows(`a ${place.kind} that is not there`, {
    "is made by an update": update(own(place), object(place.kind, { rules: [rule] })),
  }),
]);

const [, clusterRoles = { kind: "", path: "" }] = roles;
const aggregated = (...clusterRoleSelectors: readonly unknown[]): Step =>
  create(clusterRoles.path, object("ClusterRole", { aggregationRule: { clusterRoleSelectors } }));

export const aggregation: readonly Sequence[] = rows("a ClusterRole made from others", {
  "by labels": aggregated({ matchLabels: { "example.test/{id}": "true" } }),
  "by nothing": aggregated(),
  "by an empty selector": aggregated({ matchLabels: { "example.test/{id}": "x" }, matchExpressions: [] }),
  "by a bad selector": aggregated({ matchExpressions: [{ key: "a b", operator: "Is" }] }),
  "by a bad value": aggregated({ matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] }),
});

const role = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const user = { kind: "User", name: "ann" };
const robot = { kind: "ServiceAccount", name: "robot", namespace: "{ns}" };
const bound: Readonly<Record<string, Fields>> = {
  "no subjects": { roleRef: role },
  "a user": { roleRef: role, subjects: [user] },
  "all kinds of subjects": { roleRef: role, subjects: [user, { kind: "Group", name: "g" }, robot] },
  "a role without a group": { roleRef: { ...role, apiGroup: "" } },
  "a role of another group": { roleRef: { ...role, apiGroup: "example.test" } },
  "a role of another kind": { roleRef: { ...role, kind: "Own" } },
  "a role without a name": { roleRef: { ...role, name: "" } },
  "a role of a bad name": { roleRef: { ...role, name: "a/b" } },
  "no role": {},
  "a subject without a name": { roleRef: role, subjects: [{ kind: "User" }] },
  "a subject of another group": { roleRef: role, subjects: [{ ...user, apiGroup: "example.test" }] },
  "a subject of another kind": { roleRef: role, subjects: [{ kind: "Own", name: "x" }] },
  "a robot of a group": { roleRef: role, subjects: [{ ...robot, apiGroup: "example.test" }] },
  "a robot of a bad name": { roleRef: role, subjects: [{ ...robot, name: "A b" }] },
  "a robot without a name": { roleRef: role, subjects: [{ ...robot, name: "" }] },
  "a robot from nowhere": { roleRef: role, subjects: [{ kind: "ServiceAccount", name: "robot" }] },
};

export const boundRoles: readonly Sequence[] = bindings.flatMap((place) => [
  ...rows(
    `a ${place.kind} with`,
    Object.fromEntries(
      Object.entries(bound).map(([what, more]) => [what, create(place.path, object(place.kind, more))]),
    ),
  ),
  ...rows(
    `a ${place.kind} that`,
    {
      "gets a subject": patch(own(place), mergePatch, { subjects: [robot] }),
      "gets another role": patch(own(place), mergePatch, { roleRef: { name: "edit" } }),
      "gets a bad subject": patch(own(place), mergePatch, { subjects: [{}] }),
      "is applied": apply(own(place), object(place.kind, { roleRef: role, subjects: [robot] }), { force: true }),
      goes: [remove(own(place)), get(own(place))],
    },
    [create(place.path, object(place.kind, { roleRef: role, subjects: [user] }))],
  ),
]);
