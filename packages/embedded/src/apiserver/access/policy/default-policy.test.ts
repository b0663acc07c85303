import type { ClusterRole, ClusterRoleBinding } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { requestInfo } from "../../requests/index.ts";
import { createStore, type Store } from "../../store/index.ts";
import { attributesOf } from "../authorization/access-attributes.ts";
import { Authorizer } from "../authorization/authorizer.ts";
import { PolicyIndex } from "../authorization/policy-index.ts";
import { writePolicy } from "../testing/policy-lines.ts";
import { desiredPolicy } from "./default-policy.ts";
import { syncDefaultPolicy } from "./default-policy-sync.ts";

const root = "/registry/rbac.authorization.k8s.io/";
const clock = new ManualClock();

/** A role or binding, whichever it is. */
type Either = Pick<ClusterRole, "metadata" | "rules" | "aggregationRule"> &
  Pick<ClusterRoleBinding, "roleRef" | "subjects">;

const read = (store: Store, place: string) => JSON.parse(store.get(root + place)?.text ?? "null") as Either;
const edit = (store: Store, place: string, change: (object: Either) => object) =>
  store.transact((transaction) => {
    const object = JSON.parse(transaction.get(root + place)?.text ?? "") as Either;
    transaction.put(root + place, JSON.stringify(change(object)));
  });

async function policyStore(): Promise<Store> {
  const store = createStore();
  await syncDefaultPolicy({ store, clock });
  return store;
}

describe("the default policy", () => {
  it("has all that Kubernetes 1.36 begins with, each once", () => {
    const { clusterRoles, clusterRoleBindings, roles, roleBindings } = desiredPolicy();
    expect([clusterRoles, clusterRoleBindings, roles, roleBindings].map((list) => list.length)).toEqual([69, 50, 7, 7]);
    expect(new Set(clusterRoles.map(({ metadata }) => metadata.name)).size).toBe(69);
  });

  it("is written as the API server writes it, with a version of its own for each object", async () => {
    using store = await policyStore();
    const role = read(store, "clusterroles/system:basic-user");
    expect(role).toEqual({
      kind: "ClusterRole",
      apiVersion: "rbac.authorization.k8s.io/v1",
      metadata: {
        name: "system:basic-user",
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: String(store.get(`${root}clusterroles/system:basic-user`)?.revision),
        creationTimestamp: "2026-01-31T15:04:05Z",
        labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
        annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
        managedFields: [expect.objectContaining({ manager: "kube-apiserver", operation: "Update" })],
      },
      rules: [
        {
          apiGroups: ["authorization.k8s.io"],
          resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
          verbs: ["create"],
        },
        { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
      ],
    });
    expect(Object.keys(role.metadata)).toEqual([
      "name",
      "uid",
      "resourceVersion",
      "creationTimestamp",
      "labels",
      "annotations",
      "managedFields",
    ]);
    expect(new Set(store.list(root)?.objects.map(({ revision }) => revision)).size).toBe(133);
  });

  it.each<[string, string, string, boolean]>([
    ["anybody", "system:unauthenticated", "GET /healthz", true],
    ["anybody", "system:unauthenticated", "GET /api", false],
    ["a user", "system:authenticated", "GET /apis/apps/v1", true],
    ["a user", "system:authenticated", "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", true],
    ["a user", "system:authenticated", "GET /api/v1/nodes", false],
    ["a service account", "system:serviceaccounts", "GET /openid/v1/jwks", true],
    ["a node", "system:nodes", "GET /api/v1/nodes", false],
    ["an editor", "editors", "DELETE /api/v1/namespaces/a/pods/p", true],
    ["an editor", "editors", "GET /api/v1/namespaces/a/configmaps", true],
    ["an editor", "editors", "POST /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles", false],
    ["an administrator", "admins", "POST /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles", true],
    ["a viewer", "viewers", "GET /api/v1/namespaces/a/secrets", false],
    ["a viewer", "viewers", "GET /api/v1/namespaces/a/pods/p/log", true],
    ["a viewer elsewhere", "viewers", "GET /api/v1/namespaces/b/pods", false],
  ])("lets %s (%s) %s: %s", async (_who, group, request, isAllowed) => {
    using store = await policyStore();
    await writePolicy(
      store,
      "RoleBinding a/e: ClusterRole edit to Group editors",
      "RoleBinding a/a: ClusterRole admin to Group admins",
      "RoleBinding a/v: ClusterRole view to Group viewers",
    );
    const [method = "", path = ""] = request.split(" ");
    const info = requestInfo(method, new URL(path, "https://x"));
    const authorizer = new Authorizer(new PolicyIndex(store));
    expect(authorizer.decide(attributesOf({ name: "x", groups: [group] }, info)).isAllowed).toBe(isAllowed);
  });
});

describe("at the next start", () => {
  it("nothing is written where nothing is missing", async () => {
    using store = await policyStore();
    const { revision } = store;
    await syncDefaultPolicy({ store, clock });
    expect(store.revision).toBe(revision);
  });

  it("what was removed comes back, and what was added stays", async () => {
    using store = await policyStore();
    const extra = { apiGroups: ["x"], resources: ["y"], verbs: ["z"] };
    await edit(store, "clusterroles/system:basic-user", (role) => {
      return { ...role, metadata: { ...role.metadata, labels: { own: "1" } }, rules: [role.rules?.[1], extra] };
    });
    await edit(store, "clusterrolebindings/system:public-info-viewer", (binding) => {
      return { ...binding, subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "own" }] };
    });
    await edit(store, "clusterroles/view", (role) => ({ ...role, aggregationRule: null }));
    await syncDefaultPolicy({ store, clock });
    const role = read(store, "clusterroles/system:basic-user");
    expect(role.metadata.labels).toEqual({ "kubernetes.io/bootstrapping": "rbac-defaults", own: "1" });
    expect(role.rules?.slice(1)).toEqual([
      extra,
      { apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectaccessreviews"], verbs: ["create"] },
      { apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectrulesreviews"], verbs: ["create"] },
    ]);
    const binding = read(store, "clusterrolebindings/system:public-info-viewer");
    expect(binding.subjects?.map(({ name }) => name)).toEqual([
      "own",
      "system:authenticated",
      "system:unauthenticated",
    ]);
    const view = read(store, "clusterroles/view");
    expect(view.aggregationRule?.clusterRoleSelectors).toHaveLength(1);
  });

  it("what somebody has made theirs is left alone", async () => {
    using store = await policyStore();
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    await edit(store, "clusterroles/system:discovery", ({ metadata, ...role }) => {
      return { ...role, metadata: { ...metadata, annotations }, rules: [] };
    });
    await syncDefaultPolicy({ store, clock });
    expect(read(store, "clusterroles/system:discovery").rules).toEqual([]);
  });

  it("a binding for another role is made anew", async () => {
    using store = await policyStore();
    const place = "clusterrolebindings/system:discovery";
    const { uid } = read(store, place).metadata;
    await edit(store, place, (binding) => ({ ...binding, roleRef: { ...binding.roleRef, name: "view" } }));
    await syncDefaultPolicy({ store, clock });
    const binding = read(store, place);
    expect(binding.roleRef.name).toBe("system:discovery");
    expect(binding.metadata.uid).not.toBe(uid);
  });
});
