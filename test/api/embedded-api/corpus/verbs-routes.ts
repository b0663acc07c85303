import { configMap, create, each, get, maps, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const paths = [
  "/api/v1/namespaces/{ns}/nothings",
  "/api/v1/namespaces/{ns}/nothings/a",
  "/api/v1/nothings",
  "/api/v2/namespaces",
  "/api/v1/namespaces/{ns}/pods/a/nothing",
  "/api/v1/namespaces/{ns}/nodes",
  "/api/v1/namespaces/{ns}/namespaces",
  "/api/v1/pods/a",
  "/api/v1/configmaps/a",
  "/apis/apps/v2/deployments",
  "/apis/nothing/v1/things",
  "/apis/apps/v1/namespaces/{ns}/pods",
  "/apis/apps/v1beta1/deployments",
  "/apis/storage.k8s.io/v1/namespaces/{ns}/storageclasses",
  "/apis/nothing",
  "/apis/nothing/v1",
  "/nothing",
  "/api/v1/",
  "/api/v1/namespaces/{ns}/",
  "/api/v1/namespaces/{ns}/configmaps/",
  "/API/V1/namespaces",
  "/api/v1/namespaces/%zz/configmaps",
  "/api/v1/namespaces/{ns}/configmaps?labelSelector=%zz",
  "/api/v1/namespaces/{ns}/configmaps?limit=2;x=y",
  "/api/v1/namespaces/{ns}/configmaps/a?x=%00",
  "/api/v1/proxy/namespaces/{ns}/pods/a",
];

const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LOCK"];

const cases: [string, string][] = [
  ...methods.map((method): [string, string] => [method, maps]),
  ...methods.map((method): [string, string] => [method, `${maps}/a`]),
  ...methods.map((method): [string, string] => [method, "/api/v1/namespaces/{ns}/nothings"]),
  ...methods.map((method): [string, string] => [method, `${pods}/a/log`]),
  ...methods.map((method): [string, string] => [method, "/version"]),
  ...methods.slice(0, 3).map((method): [string, string] => [method, "/api/v1/configmaps"]),
  ["GET", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"],
  ["DELETE", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"],
  ["PUT", "/api/v1/namespaces/{ns}/serviceaccounts/default/token"],
  ["GET", "/api/v1/namespaces/{ns}/pods/a/eviction"],
  ["GET", "/api/v1/namespaces/{ns}/bindings"],
];

export const routeSequences: readonly Sequence[] = [
  ...each("a path", paths, (path) => [get(path)]),
  ...cases.map(([method, path]) => ({
    name: `${method} ${path}`,
    steps: [
      {
        send: `${method} ${path}`,
        ...(["POST", "PUT"].includes(method) && { body: path.includes("configmaps") ? configMap("a") : {} }),
        ...(method === "PATCH" && { body: {}, type: "application/merge-patch+json" }),
      },
    ],
  })),
  ...rows("a namespace", {
    "is made and read": [
      create("/api/v1/namespaces", { metadata: { name: "made-{id}" } }),
      get("/api/v1/namespaces/made-{id}"),
      get("/api/v1/namespaces/made-{id}/status"),
      { send: "DELETE /api/v1/namespaces/made-{id}" },
      get("/api/v1/namespaces/made-{id}"),
      create("/api/v1/namespaces/made-{id}/configmaps", configMap("a")),
      {
        send: "PUT /api/v1/namespaces/made-{id}/finalize",
        body: { metadata: { name: "made-{id}" }, spec: { finalizers: [] } },
      },
      get("/api/v1/namespaces/made-{id}"),
    ],
    "of a bad name": create("/api/v1/namespaces", { metadata: { name: "Made_{id}" } }),
    "with a dot": create("/api/v1/namespaces", { metadata: { name: "made.{id}" } }),
    "that is for ever": [
      { send: "DELETE /api/v1/namespaces/default?dryRun=All" },
      { send: "DELETE /api/v1/namespaces/kube-system?dryRun=All" },
    ],
    "is updated": [
      create("/api/v1/namespaces", { metadata: { name: "made-{id}" } }),
      { send: "PUT /api/v1/namespaces/made-{id}", body: { metadata: { name: "made-{id}", labels: { a: "b" } } } },
      {
        send: "PATCH /api/v1/namespaces/made-{id}/status",
        type: "application/merge-patch+json",
        body: { status: { phase: "Terminating" } },
      },
    ],
    "of another": [{ send: "DELETE /api/v1/namespaces/nowhere-{id}" }],
  }),
  ...rows("a Pod", {
    "in a namespace without its service account": [
      create("/api/v1/namespaces", { metadata: { name: "made-{id}" } }),
      create("/api/v1/namespaces/made-{id}/pods", pod("a")),
    ],
  }),
];
