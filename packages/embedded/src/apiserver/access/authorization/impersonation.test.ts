import { beforeEach, describe, expect, it } from "vitest";
import { createStore } from "../../store/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { writePolicy } from "../testing/policy-lines.ts";
import { Authorizer } from "./authorizer.ts";
import { impersonatedUser, type RequestHeaders } from "./impersonation.ts";
import { PolicyIndex } from "./policy-index.ts";

const ann: ApiUser = { name: "ann", groups: ["system:authenticated"] };
const root: ApiUser = { name: "root", groups: ["system:masters"] };

let authorizer: Authorizer;

beforeEach(async () => {
  const store = createStore();
  authorizer = new Authorizer(new PolicyIndex(store));
  await writePolicy(
    store,
    "ClusterRole r: impersonate | core | users groups | bob dev",
    "Role a/r: impersonate | core | serviceaccounts",
    "ClusterRoleBinding b: ClusterRole r to User ann",
    "RoleBinding a/b: Role r to User ann",
  );
});

const become = (user: ApiUser, headers: RequestHeaders) => impersonatedUser(authorizer, user, headers);

describe("a request for somebody else", () => {
  it.each<[string, ApiUser, RequestHeaders, ApiUser]>([
    ["is the user's own without headers", ann, {}, ann],
    [
      "is another's where that is allowed",
      ann,
      { "impersonate-user": ["bob"], "impersonate-group": ["dev"] },
      { name: "bob", groups: ["dev", "system:authenticated"] },
    ],
    [
      "is a service account's, with its groups",
      ann,
      { "impersonate-user": ["system:serviceaccount:a:robot"] },
      {
        name: "system:serviceaccount:a:robot",
        groups: ["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"],
      },
    ],
    [
      "is nobody's",
      root,
      { "impersonate-user": ["system:anonymous"] },
      { name: "system:anonymous", groups: ["system:unauthenticated"] },
    ],
    [
      "is one with all that is known of a user",
      root,
      { "impersonate-user": ["x"], "impersonate-uid": ["7"], "impersonate-extra-a%2fb": ["1", "2"] },
      { name: "x", uid: "7", groups: ["system:authenticated"], extra: { "a/b": ["1", "2"] } },
    ],
  ])("%s", (_what, user, headers, taken) => {
    expect(become(user, headers)).toEqual(taken);
  });

  it.each<[string, RequestHeaders, string]>([
    [
      "whom they may not be",
      { "impersonate-user": ["eve"] },
      'users "eve" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      "in a group that they may not be in",
      { "impersonate-user": ["bob"], "impersonate-group": ["dev", "system:masters"] },
      'groups "system:masters" is forbidden: User "ann" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      "who is a service account of another namespace",
      { "impersonate-user": ["system:serviceaccount:b:robot"] },
      'serviceaccounts "robot" is forbidden: User "ann" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "b"',
    ],
    [
      "with an extra that they may not have",
      { "impersonate-user": ["bob"], "impersonate-extra-k": ["v"] },
      'userextras.authentication.k8s.io "v" is forbidden: User "ann" cannot impersonate resource "userextras/k" in API group "authentication.k8s.io" at the cluster scope',
    ],
    ["who has no name", { "impersonate-group": ["dev"] }, "without impersonating a user name"],
  ])("%s is refused", (_what, headers, message) => {
    expect(() => become(ann, headers)).toThrow(message);
  });
});
