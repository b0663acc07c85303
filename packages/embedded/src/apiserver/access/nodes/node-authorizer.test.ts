import { beforeEach, describe, expect, it } from "vitest";
import { requestInfo } from "../../requests/index.ts";
import { createStore, type Store } from "../../store/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { attributesOf } from "../authorization/access-attributes.ts";
import { Authorizer } from "../authorization/authorizer.ts";
import { PolicyIndex } from "../authorization/policy-index.ts";
import { removeCore, writeCore } from "../testing/core-objects.ts";
import { writePolicy } from "../testing/policy-lines.ts";
import { NodeAuthorizer } from "./node-authorizer.ts";
import { NodeGraph } from "./node-graph.ts";

const node = (name: string): ApiUser => ({ name: `system:node:${name}`, groups: ["system:nodes"] });

let store: Store;
let authorizer: Authorizer;

beforeEach(async () => {
  store = createStore();
  await writeCore(store, "pods/a/web", "u1", {
    spec: {
      nodeName: "n1",
      serviceAccountName: "robot",
      imagePullSecrets: [{ name: "pull" }],
      initContainers: [{ name: "i", env: [{ name: "x", valueFrom: { secretKeyRef: { name: "var" } } }] }],
      containers: [{ name: "c", envFrom: [{ configMapRef: { name: "vars" } }, { secretRef: { name: "all" } }] }],
      volumes: [
        { name: "v1", secret: { secretName: "files" } },
        { name: "v2", projected: { sources: [{ secret: { name: "part" } }, { configMap: { name: "more" } }] } },
        { name: "v3", persistentVolumeClaim: { claimName: "data" } },
        { name: "v4", ephemeral: {} },
        { name: "v5", csi: { driver: "d", nodePublishSecretRef: { name: "inline" } } },
      ],
    },
  });
  await writeCore(store, "pods/a/waiting", "u2", {
    spec: { containers: [], volumes: [{ name: "v", secret: { secretName: "early" } }] },
  });
  await writeCore(store, "persistentvolumes/pv", "u3", {
    spec: {
      claimRef: { namespace: "a", name: "data" },
      csi: {
        nodeStageSecretRef: { namespace: "drivers", name: "stage" },
        controllerPublishSecretRef: { namespace: "drivers", name: "attach" },
      },
    },
  });
  const attachment = JSON.stringify({ metadata: { name: "va" }, spec: { nodeName: "n1" } });
  await store.transact((transaction) => transaction.put("/registry/storage.k8s.io/volumeattachments/va", attachment));
  authorizer = new Authorizer(new PolicyIndex(store), new NodeAuthorizer(new NodeGraph(store)));
});

const decision = (user: ApiUser, text: string) => {
  const [method = "", path = ""] = text.split(" ");
  return authorizer.decide(attributesOf(user, requestInfo(method, new URL(path, "https://x"))));
};
const may = (user: ApiUser, text: string) => decision(user, text).isAllowed;

const inA = "/api/v1/namespaces/a";
const ofPod = [
  `GET ${inA}/secrets/pull`,
  `GET ${inA}/secrets/var`,
  `GET ${inA}/secrets/all`,
  `GET ${inA}/secrets/files`,
  `GET ${inA}/secrets/part`,
  `GET ${inA}/secrets/inline`,
  `GET ${inA}/configmaps/vars`,
  `GET ${inA}/configmaps/more`,
  `GET ${inA}/configmaps?fieldSelector=metadata.name%3Dmore&watch=1`,
  `GET ${inA}/persistentvolumeclaims/data`,
  `GET ${inA}/persistentvolumeclaims/web-v4`,
  `PATCH ${inA}/persistentvolumeclaims/data/status`,
  "GET /api/v1/persistentvolumes/pv",
  "GET /api/v1/namespaces/drivers/secrets/stage",
  `GET ${inA}/serviceaccounts/robot`,
  `POST ${inA}/serviceaccounts/robot/token`,
  `GET ${inA}/pods/web`,
  "GET /apis/storage.k8s.io/v1/volumeattachments/va",
];

describe("a node", () => {
  it.each(ofPod)("may %s for the sake of its Pod, and another may not", (text) => {
    expect(may(node("n1"), text)).toBe(true);
    expect(decision(node("n2"), text)).toEqual({
      isAllowed: false,
      reason: "no relationship found between node 'n2' and this object",
    });
  });

  it("may no more when the Pod is gone, and may when it comes", async () => {
    await removeCore(store, "pods/a/web");
    // The attachment is the node's, whichever Pods there are.
    expect(ofPod.filter((text) => may(node("n1"), text))).toEqual([ofPod.at(-1)]);
    await writeCore(store, "pods/a/waiting", "u2", {
      spec: { nodeName: "n2", containers: [], volumes: [{ name: "v", secret: { secretName: "early" } }] },
    });
    expect(may(node("n2"), `GET ${inA}/secrets/early`)).toBe(true);
    expect(may(node("n1"), `GET ${inA}/secrets/early`)).toBe(false);
  });

  it("may read what a container names that was added later", async () => {
    const added = [{ name: "look", envFrom: [{ secretRef: { name: "late" } }] }];
    expect(may(node("n1"), `GET ${inA}/secrets/late`)).toBe(false);
    await writeCore(store, "pods/a/web", "u1", { spec: { nodeName: "n1", ephemeralContainers: added } });
    expect(may(node("n1"), `GET ${inA}/secrets/late`)).toBe(true);
  });

  it("gets nothing by a mirror of what it runs by itself", async () => {
    await writeCore(store, "pods/a/static", "u9", {
      metadata: { annotations: { "kubernetes.io/config.mirror": "x" } },
      spec: { nodeName: "n2", volumes: [{ name: "v", secret: { secretName: "files" } }] },
    });
    expect(may(node("n2"), `GET ${inA}/secrets/files`)).toBe(false);
    expect(may(node("n2"), `GET ${inA}/pods/static`)).toBe(true);
  });

  it.each([
    "GET /api/v1/nodes/n1",
    "GET /api/v1/nodes?fieldSelector=metadata.name%3Dn1&watch=1",
    "PATCH /api/v1/nodes/n1/status",
    "POST /api/v1/nodes",
    "GET /api/v1/pods?fieldSelector=spec.nodeName%3Dn1",
    `PATCH ${inA}/pods/any/status`,
    `DELETE ${inA}/pods/any`,
    "PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1",
    "POST /apis/storage.k8s.io/v1/csinodes",
    "GET /apis/storage.k8s.io/v1/csidrivers/any",
    `GET ${inA}/services`,
    `POST ${inA}/events`,
  ])("may %s", (text) => {
    expect(may(node("n1"), text)).toBe(true);
  });

  it.each([
    ["GET /api/v1/nodes", "node 'n1' cannot read all nodes, only its own Node object"],
    ["GET /api/v1/nodes/n2", "node 'n1' cannot read 'n2', only its own Node object"],
    ["DELETE /api/v1/nodes/n1", ""],
    ["GET /api/v1/secrets", "can only read namespaced object of this type"],
    [`GET ${inA}/secrets`, "No Object name found"],
    [`PUT ${inA}/secrets/files`, "can only read resources of this type"],
    ["GET /api/v1/namespaces/drivers/secrets/attach", "no relationship found between node 'n1' and this object"],
    [`GET ${inA}/secrets/early`, "no relationship found between node 'n1' and this object"],
    [`GET ${inA}/persistentvolumeclaims`, "can only get individual resources of this type"],
    [`GET ${inA}/persistentvolumeclaims/data/status`, "can only get/update/patch this type"],
    [`POST ${inA}/serviceaccounts`, "can only create tokens for individual service accounts"],
    [`GET ${inA}/pods?fieldSelector=spec.nodeName%3Dn2`, "can only list/watch pods with spec.nodeName field selector"],
    [`GET ${inA}/pods/web/log`, ""],
    [
      "GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2",
      "can only access node lease with the same name as the requesting node",
    ],
    [
      "GET /apis/coordination.k8s.io/v1/namespaces/a/leases/n1",
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    ["DELETE /apis/storage.k8s.io/v1/csinodes/n2", "can only access CSINode with the same name as the requesting node"],
    ["GET /apis/apps/v1/deployments", ""],
  ])("may not %s", (text, reason) => {
    expect(decision(node("n1"), text)).toEqual({ isAllowed: false, reason });
  });

  it("that does not say which it is may nothing", () => {
    const reason = 'unknown node for user "system:node:"';
    expect(decision(node(""), "GET /api/v1/nodes/n1")).toEqual({ isAllowed: false, reason });
  });

  it("is one by its name and its group alone", () => {
    expect(may({ name: "system:node:n1", groups: [] }, `GET ${inA}/secrets/files`)).toBe(false);
    expect(may({ name: "n1", groups: ["system:nodes"] }, `GET ${inA}/secrets/files`)).toBe(false);
  });

  it("may beside that what roles give it", async () => {
    await writePolicy(
      store,
      "ClusterRole r: list | apps | deployments",
      "ClusterRoleBinding b: ClusterRole r to Group system:nodes",
    );
    expect(may(node("n1"), "GET /apis/apps/v1/deployments")).toBe(true);
  });
});
