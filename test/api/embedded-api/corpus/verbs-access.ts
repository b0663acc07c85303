import { applyYaml, configMap, create, each, get, maps, mergePatch, pod, pods, rows } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;

const as = (step: Step, user = "jane"): Step => ({ ...step, as: user });

const requests: Readonly<Record<string, Step>> = {
  get: get(`${maps}/a`),
  list: get(maps),
  "list over all": get("/api/v1/configmaps"),
  watch: { watch: `${maps}?watch=1` },
  create: create(maps, configMap("b")),
  update: { send: `PUT ${maps}/a`, body: configMap("a") },
  patch: { send: `PATCH ${maps}/a`, type: mergePatch, body: {} },
  apply: { send: `PATCH ${maps}/z?fieldManager=x`, type: applyYaml, body: configMap("z") },
  delete: { send: `DELETE ${maps}/a` },
  "delete all": { send: `DELETE ${maps}` },
  "a status": get(`${pods}/a/status`),
  "a log": get(`${pods}/a/log`),
  nodes: get("/api/v1/nodes"),
  "a node": get("/api/v1/nodes/a"),
  namespaces: get("/api/v1/namespaces"),
  "its namespace": get("/api/v1/namespaces/{ns}"),
  "another group": get("/apis/apps/v1/namespaces/{ns}/deployments"),
  "no resource": get("/metrics"),
  health: get("/healthz"),
  discovery: get("/api"),
  "what is not there": get("/api/v1/namespaces/{ns}/nothings"),
  "markup in a path": get("/<b>"),
  "markup in a name": get(`${maps}/%3Cb%3E`),
};

const may = (rules: readonly unknown[], user = "jane"): readonly Step[] => [
  create(maps, configMap("a")),
  create(roles, { metadata: { name: "r" }, rules }),
  create(bindings, {
    metadata: { name: "b" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
    subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
  }),
];

const rule = (verbs: readonly string[], resources = ["configmaps"], more: Record<string, unknown> = {}) => ({
  apiGroups: [""],
  resources,
  verbs,
  ...more,
});

/** The real server learns of roles a moment later. */
const settled = (step: Step, code: number): Step => ({ ...step, as: "jane", awaits: code });

export const accessSequences: readonly Sequence[] = [
  ...rows(
    "nobody in particular",
    Object.fromEntries(Object.entries(requests).map(([what, step]) => [what, [as(step)]])),
  ),
  ...rows("an anonymous user", {
    get: [{ ...get(maps), as: "system:anonymous", groups: ["system:unauthenticated"] }],
    health: [{ ...get("/healthz"), as: "system:anonymous", groups: ["system:unauthenticated"] }],
    api: [{ ...get("/api"), as: "system:anonymous", groups: ["system:unauthenticated"] }],
  }),
  ...rows("by groups", {
    "masters may all": [{ ...get(maps), as: "x", groups: ["system:masters"] }],
    "authenticated may look around": [{ ...get("/apis/apps"), as: "x", groups: ["system:authenticated"] }],
    "groups without a user": [{ ...get(maps), headers: { "impersonate-group": "system:masters" } }],
    "extra without a user": [{ ...get(maps), headers: { "impersonate-extra-a": "b" } }],
    "a uid without a user": [{ ...get(maps), headers: { "impersonate-uid": "b" } }],
    "a user with a uid": [{ ...get(maps), as: "x", headers: { "impersonate-uid": "b" } }],
    "an empty user": [{ ...get(maps), headers: { "impersonate-user": "" } }],
    "a service account": [{ ...get(maps), as: "system:serviceaccount:{ns}:default" }],
    "a node": [{ ...get("/api/v1/nodes"), as: "system:node:a", groups: ["system:nodes"] }],
  }),
  ...rows("by a token", {
    "that is none": [{ ...get(maps), headers: { authorization: "Bearer nonsense" } }],
    "that is empty": [{ ...get(maps), headers: { authorization: "Bearer " } }],
    "of another kind": [{ ...get(maps), headers: { authorization: "Basic YTpi" } }],
  }),
  ...rows("who may read maps", {
    get: [...may([rule(["get"])]), settled(get(`${maps}/a`), 200), as(get(maps)), as(get(`${maps}/b`))],
    "one by its name": [
      ...may([rule(["get"], ["configmaps"], { resourceNames: ["a"] })]),
      settled(get(`${maps}/a`), 200),
      as(get(`${maps}/b`)),
      as(get(`${maps}?fieldSelector=metadata.name%3Da`)),
    ],
    "all by a star": [
      ...may([rule(["*"], ["*"])]),
      settled(get(maps), 200),
      as(create(maps, configMap("c"))),
      as(get(pods)),
    ],
    "a part alone": [
      ...may([rule(["get"], ["pods/status"])]),
      create(pods, pod("p")),
      settled(get(`${pods}/p/status`), 200),
      as(get(`${pods}/p`)),
    ],
    "apply without create": [
      ...may([rule(["patch", "get"])]),
      settled(get(`${maps}/a`), 200),
      as({ send: `PATCH ${maps}/new?fieldManager=x`, type: applyYaml, body: configMap("new") }),
      as({ send: `PATCH ${maps}/a?fieldManager=x`, type: applyYaml, body: configMap("a", { data: { x: "1" } }) }),
    ],
    "roles of their own making": [
      ...may([
        rule(["get"]),
        { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["create", "update"] },
      ]),
      settled(get(`${maps}/a`), 200),
      as(create(roles, { metadata: { name: "same" }, rules: [rule(["get"])] })),
      as(create(roles, { metadata: { name: "more" }, rules: [rule(["get", "delete"])] })),
      as(
        create(bindings, {
          metadata: { name: "more" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
          subjects: [],
        }),
      ),
    ],
  }),
];

const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const attributes: Readonly<Record<string, unknown>> = {
  get: { resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps" } },
  star: { resourceAttributes: { verb: "*", group: "*", resource: "*" } },
  path: { nonResourceAttributes: { path: "/api/v1", verb: "get" } },
  "a forbidden path": { nonResourceAttributes: { path: "/metrics", verb: "get" } },
  both: { resourceAttributes: { verb: "get", resource: "pods" }, nonResourceAttributes: { path: "/", verb: "get" } },
  nothing: {},
};

export const reviewSequences: readonly Sequence[] = [
  ...Object.entries(attributes).flatMap(([what, spec]) => [
    { name: `a review of oneself: ${what}`, steps: [as(create(reviews, { spec }))] },
    { name: `a review of the administrator: ${what}`, steps: [create(reviews, { spec })] },
    {
      name: `a review of another: ${what}`,
      steps: [
        create("/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec: { ...(spec as object), user: "jane" } }),
      ],
    },
  ]),
  ...rows("a review", {
    "of rules nowhere": [create("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: {} })],
    "of oneself": [as(create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}))],
    "in a namespace": [
      create("/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews", {
        metadata: { namespace: "{ns}" },
        spec: { user: "jane", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
      }),
    ],
    "of a token that is none": [create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "nonsense" } })],
    "of no token": [create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: {} })],
  }),
  ...each(
    "a token of a service account",
    ["{}", '{"spec":{"expirationSeconds":600}}', '{"spec":{"expirationSeconds":5}}', '{"spec":{"audiences":["a"]}}'],
    (body) => [create("/api/v1/namespaces/{ns}/serviceaccounts/default/token", body)],
  ),
];
