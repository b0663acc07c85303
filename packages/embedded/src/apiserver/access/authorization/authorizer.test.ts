import { beforeEach, describe, expect, it } from "vitest";
import { requestInfo } from "../../requests/index.ts";
import { createStore, type Store } from "../../store/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { policyObject, removePolicy, writePolicy } from "../testing/policy-lines.ts";
import { attributesOf } from "./access-attributes.ts";
import { Authorizer } from "./authorizer.ts";
import { EscalationGuard, type PolicyWrite } from "./escalation.ts";
import { PolicyIndex } from "./policy-index.ts";

const ann: ApiUser = { name: "ann", groups: ["dev", "system:authenticated"] };
const robot: ApiUser = { name: "system:serviceaccount:a:robot", groups: ["system:serviceaccounts"] };

let store: Store;
let authorizer: Authorizer;
let guard: EscalationGuard;

beforeEach(() => {
  store = createStore();
  const index = new PolicyIndex(store);
  authorizer = new Authorizer(index);
  guard = new EscalationGuard(index, authorizer);
});

const asked = (user: ApiUser, text: string) => {
  const [method = "", path = ""] = text.split(" ");
  return attributesOf(user, requestInfo(method, new URL(path, "https://x")));
};
const decision = (user: ApiUser, text: string) => authorizer.decide(asked(user, text));
const refusal = (user: ApiUser, text: string) => authorizer.refusal(asked(user, text))?.status;

describe("somebody may", () => {
  it.each<[string, ApiUser, string[], string]>([
    [
      "as a user everywhere",
      ann,
      ["ClusterRole r: get | core | pods", "ClusterRoleBinding b: ClusterRole r to User ann"],
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ann"',
    ],
    [
      "as one of a group, in a namespace",
      ann,
      ["ClusterRole r: get | core | pods", "RoleBinding a/b: ClusterRole r to Group dev"],
      'RBAC: allowed by RoleBinding "b/a" of ClusterRole "r" to Group "dev"',
    ],
    [
      "as a service account that the binding's namespace is meant of",
      robot,
      ["Role a/r: get | core | pods", "RoleBinding a/b: Role r to ServiceAccount robot"],
      'RBAC: allowed by RoleBinding "b/a" of Role "r" to ServiceAccount "robot/a"',
    ],
    [
      "as a service account of a namespace, everywhere",
      robot,
      ["ClusterRole r: get | core | pods", "ClusterRoleBinding b: ClusterRole r to ServiceAccount a/robot"],
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to ServiceAccount "robot/a"',
    ],
    [
      "by the first of several subjects that is meant",
      ann,
      ["ClusterRole r: get | core | pods", "ClusterRoleBinding b: ClusterRole r to User bob, Group dev, User ann"],
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
    ],
    ["as a master, whatever roles there are", { name: "x", groups: ["system:masters"] }, [], ""],
  ])("%s", async (_how, user, objects, reason) => {
    await writePolicy(store, ...objects);
    expect(decision(user, "GET /api/v1/namespaces/a/pods/p")).toEqual({ isAllowed: true, reason });
  });

  it("as soon as it is written, and until it is removed or changed", async () => {
    const may = () => decision(ann, "GET /api/v1/namespaces/a/pods/p").isAllowed;
    await writePolicy(store, "ClusterRoleBinding b: ClusterRole r to User ann");
    expect(may()).toBe(false);
    await writePolicy(store, "ClusterRole r: get | core | pods");
    expect(may()).toBe(true);
    await writePolicy(store, "ClusterRoleBinding b: ClusterRole r to User bob");
    expect(may()).toBe(false);
    await writePolicy(store, "ClusterRoleBinding b: ClusterRole r to User ann");
    await removePolicy(store, "ClusterRole r:");
    expect(may()).toBe(false);
  });

  it("by what was in the store before anybody looked", async () => {
    await writePolicy(store, "ClusterRole r: get | /x", "ClusterRoleBinding b: ClusterRole r to User ann");
    const later = new Authorizer(new PolicyIndex(store));
    expect(later.decide(asked(ann, "GET /x")).isAllowed).toBe(true);
  });

  it("by what a role gathers, however many roles are between, and in a circle too", async () => {
    await writePolicy(
      store,
      "ClusterRole top: gathers a",
      "ClusterRole middle [a]: gathers b",
      "ClusterRole leaf [b]: get | core | pods",
      "ClusterRole circle [b]: gathers a",
      "ClusterRoleBinding b: ClusterRole top to User ann",
    );
    expect(decision(ann, "GET /api/v1/pods/p").reason).toContain('of ClusterRole "top"');
    await writePolicy(store, "ClusterRole leaf: get | core | pods");
    expect(decision(ann, "GET /api/v1/pods/p").isAllowed).toBe(false);
  });
});

describe("somebody may not, and is told so", () => {
  it.each<[string, string[], string, string, object]>([
    [
      "at the cluster's scope",
      [],
      "GET /api/v1/nodes",
      'nodes is forbidden: User "ann" cannot list resource "nodes" in API group "" at the cluster scope',
      { kind: "nodes" },
    ],
    [
      "of an object in a namespace, whose binding is another's",
      ["Role b/r: * | * | *", "RoleBinding b/x: Role r to User ann"],
      "PATCH /apis/apps/v1/namespaces/a/deployments/d/scale",
      'deployments.apps "d" is forbidden: User "ann" cannot patch resource "deployments/scale" in API group "apps" in the namespace "a"',
      { name: "d", group: "apps", kind: "deployments" },
    ],
    [
      "by a role that is not there",
      ["ClusterRoleBinding b: ClusterRole gone to User ann"],
      "GET /api/v1/nodes/n",
      'nodes "n" is forbidden: User "ann" cannot get resource "nodes" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
      { name: "n", kind: "nodes" },
    ],
    [
      "by two roles that are not there",
      ["ClusterRoleBinding b: ClusterRole gone to User ann", "RoleBinding a/b: Role lost to Group dev"],
      "DELETE /api/v1/namespaces/a/pods",
      'pods is forbidden: User "ann" cannot deletecollection resource "pods" in API group "" in the namespace "a": RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
      { kind: "pods" },
    ],
    ["of a path", [], "GET /metrics", 'forbidden: User "ann" cannot get path "/metrics"', {}],
    ["of a path that looks like HTML", [], "GET /a&b", 'forbidden: User "ann" cannot get path "/a&amp;b"', {}],
  ])("%s", async (_what, ...[objects, request, message, details]) => {
    await writePolicy(store, ...objects);
    expect(refusal(ann, request)).toMatchObject({ code: 403, reason: "Forbidden", message, details });
  });

  it("as a service account without a namespace in a binding of the whole cluster", async () => {
    await writePolicy(store, "ClusterRole r: * | * | *", "ClusterRoleBinding b: ClusterRole r to ServiceAccount robot");
    expect(decision(robot, "GET /api/v1/nodes").isAllowed).toBe(false);
  });
});

describe("whoever writes roles and bindings", () => {
  const write = (text: string, more: Partial<PolicyWrite> = {}): (() => void) => {
    const { resource, namespace, object } = policyObject(text);
    return () => guard.check({ user: ann, resource, namespace, pathName: "", object, previous: undefined, ...more });
  };
  const held = ["ClusterRole own: read | core | pods", "ClusterRoleBinding own: ClusterRole own to User ann"];
  const who =
    'user "ann" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';

  it("may give what they hold", async () => {
    await writePolicy(store, ...held);
    expect(write("ClusterRole x: get list | core | pods")).not.toThrow();
    expect(write("Role a/x: get | core | pods")).not.toThrow();
    expect(write("RoleBinding a/x: ClusterRole own to User bob")).not.toThrow();
  });

  it.each<[string, string, string[], string]>([
    [
      "a role with more",
      "ClusterRole x: get update patch | core | pods secrets",
      [],
      `clusterroles.rbac.authorization.k8s.io "x" is forbidden: ${who}\n{APIGroups:[""], Resources:["pods"], Verbs:["patch" "update"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "patch" "update"]}`,
    ],
    [
      "a binding to a role with more",
      "RoleBinding a/x: Role big to User bob",
      ["Role a/big: get | /metrics", "Role a/more: get | core | secrets"],
      `rolebindings.rbac.authorization.k8s.io "x" is forbidden: ${who}\n{NonResourceURLs:["/metrics"], Verbs:["get"]}`,
    ],
    [
      "a role that gathers others",
      "ClusterRole x: gathers a",
      [],
      'clusterroles.rbac.authorization.k8s.io "x" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ],
    [
      "a role with more, when not all that they hold is known",
      "ClusterRole x: get | core | nodes",
      ["ClusterRoleBinding lost: ClusterRole gone to User ann"],
      `clusterroles.rbac.authorization.k8s.io "x" is forbidden: ${who}\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}; resolution errors: [clusterrole.rbac.authorization.k8s.io "gone" not found]`,
    ],
    [
      "a binding to a role that is not there",
      "ClusterRoleBinding x: ClusterRole gone to User bob",
      [],
      'clusterroles.rbac.authorization.k8s.io "gone" not found',
    ],
    [
      "a binding to what is no role",
      "ClusterRoleBinding x: Pod gone to User bob",
      [],
      'unsupported role reference kind: "Pod"',
    ],
  ])("may not write %s", async (_what, text, objects, message) => {
    await writePolicy(store, ...held, ...objects);
    expect(write(text)).toThrow(message);
    expect(write(text, { user: { name: "root", groups: ["system:masters"] } })).not.toThrow();
  });

  it("may with escalate, of the role that is named where it is limited to one", async () => {
    const text = "ClusterRole x: get | core | nodes";
    await writePolicy(
      store,
      "ClusterRole e: escalate | rbac.authorization.k8s.io | clusterroles | x",
      "ClusterRoleBinding e: ClusterRole e to User ann",
    );
    expect(write(text)).toThrow("not currently held");
    expect(
      write(text, { pathName: "x", previous: policyObject("ClusterRole x: get | core | pods").object }),
    ).not.toThrow();
  });

  it("may with bind, of the role that is named, in its namespace alone", async () => {
    await writePolicy(
      store,
      "ClusterRole big: * | * | *",
      "Role a/binder: bind | rbac.authorization.k8s.io | clusterroles | big",
      "RoleBinding a/binder: Role binder to User ann",
    );
    expect(write("RoleBinding a/x: ClusterRole big to User bob")).not.toThrow();
    expect(write("RoleBinding b/x: ClusterRole big to User bob")).toThrow("not currently held");
    expect(write("ClusterRoleBinding x: ClusterRole big to User bob")).toThrow("not currently held");
  });

  it("may change owners and finalizers of what they do not hold", () => {
    const { object } = policyObject("ClusterRole x: get | core | nodes");
    const marked = { ...object, metadata: { name: "x", finalizers: ["f"], ownerReferences: [] } };
    expect(write("ClusterRole x: get | core | nodes", { pathName: "x", previous: marked })).not.toThrow();
    const other = { ...marked, metadata: { name: "x", labels: { a: "b" } } };
    expect(write("ClusterRole x: get | core | nodes", { pathName: "x", previous: other })).toThrow(
      "not currently held",
    );
  });

  it("is not asked about anything else", () => {
    expect(write("ClusterRole x: * | * | *", { resource: "configmaps" })).not.toThrow();
  });
});
