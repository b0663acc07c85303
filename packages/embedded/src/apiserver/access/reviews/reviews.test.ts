import { generateKeyPairSync } from "node:crypto";
import type { JsonObject } from "@stowage/machinery/apply";
import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../answers/index.ts";
import { createStore } from "../../store/index.ts";
import { Authenticator } from "../authentication/authenticator.ts";
import { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import { parseTokenFile } from "../authentication/token-file.ts";
import { readTokenKey } from "../authentication/token-key.ts";
import { Authorizer } from "../authorization/authorizer.ts";
import { PolicyIndex } from "../authorization/policy-index.ts";
import { writeCore } from "../testing/core-objects.ts";
import { writePolicy } from "../testing/policy-lines.ts";
import { refusalOf } from "../testing/refusal.ts";
import type { ReviewRequest } from "./review-request.ts";
import { type ReviewDeps, reviewOf } from "./reviews.ts";

const key = readTokenKey(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
);
const ann = { name: "ann", uid: "7", groups: ["dev", "system:authenticated"], extra: { "z/y": ["2"], "a/b": ["1"] } };
const audiences = ["https://me"];

let deps: ReviewDeps;

beforeEach(async () => {
  const store = createStore();
  const clock = new ManualClock();
  const serviceAccountTokens = new ServiceAccountTokens({
    store,
    clock,
    keys: [key],
    issuers: ["https://me"],
    audiences,
  });
  const staticTokens = parseTokenFile('secret,bob,9,"ops"');
  const authenticator = new Authenticator({ staticTokens, serviceAccountTokens, audiences, allowsAnonymous: true });
  const authorizer = new Authorizer(new PolicyIndex(store));
  deps = { store, clock, authorizer, authenticator, serviceAccountTokens, audiences };
  await writePolicy(
    store,
    "ClusterRole r: get list | core | pods",
    "ClusterRole u: get | /healthz",
    "Role a/n: update | core | secrets | s",
    "ClusterRoleBinding b: ClusterRole r to User ann",
    "ClusterRoleBinding c: ClusterRole u to User ann",
    "RoleBinding a/d: Role n to Group dev",
  );
  await writeCore(store, "serviceaccounts/a/robot", "u1");
  await writeCore(store, "pods/a/p", "u2", { spec: { serviceAccountName: "robot", nodeName: "n" } });
  await writeCore(store, "pods/a/q", "u5", { spec: { serviceAccountName: "default", nodeName: "n" } });
  await writeCore(store, "secrets/a/s", "u3");
  await writeCore(store, "nodes/n", "u4");
});

interface Answered {
  readonly metadata: object;
  readonly spec: object;
  readonly status: object;
}

function ask(place: string, object: JsonObject, more: Partial<ReviewRequest> = {}): Answered {
  const [group = "", resource = "", subresource] = place.split("/");
  const review = reviewOf(group, resource, subresource);
  if (review === undefined) throw new Error(`nobody answers ${place}`);
  return review(deps, { user: ann, namespace: "", name: "", manager: "kubectl", object, ...more }) as Answered;
}

function refusal(work: () => unknown): object {
  const error = refusalOf(work);
  if (error instanceof ApiError) return error.status;
  throw error;
}

const authorization = (kind: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => {
  return { kind, apiVersion: "authorization.k8s.io/v1", metadata, spec };
};

describe("a review of access", () => {
  const self = (spec: JsonObject) =>
    ask("authorization.k8s.io/selfsubjectaccessreviews", authorization("SelfSubjectAccessReview", spec));

  it("answers with who asked, what was asked, whether it is allowed and why", () => {
    const resourceAttributes = { verb: "get", resource: "pods", namespace: "x" };
    expect(JSON.stringify(self({ resourceAttributes }))).toBe(
      JSON.stringify({
        kind: "SelfSubjectAccessReview",
        apiVersion: "authorization.k8s.io/v1",
        metadata: {
          managedFields: [
            {
              manager: "kubectl",
              operation: "Update",
              apiVersion: "authorization.k8s.io/v1",
              time: "2026-01-31T15:04:05Z",
              fieldsType: "FieldsV1",
              fieldsV1: {
                "f:spec": { "f:resourceAttributes": { ".": {}, "f:namespace": {}, "f:resource": {}, "f:verb": {} } },
              },
            },
          ],
        },
        spec: { resourceAttributes },
        status: {
          allowed: true,
          reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ann"',
        },
      }),
    );
  });

  it.each<[string, JsonObject, object]>([
    ["what is not allowed", { resourceAttributes: { verb: "get", resource: "nodes" } }, { allowed: false }],
    [
      "a path",
      { nonResourceAttributes: { verb: "get", path: "/healthz" } },
      { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "c" of ClusterRole "u" to User "ann"' },
    ],
    [
      "a selector that cannot be read",
      {
        resourceAttributes: {
          verb: "x",
          labelSelector: { rawSelector: "a in (" },
          fieldSelector: { rawSelector: "a=b" },
        },
      },
      { allowed: false, evaluationError: "spec.resourceAttributes.labelSelector ignored due to parse error" },
    ],
    [
      "requirements of which one is not known",
      {
        resourceAttributes: {
          fieldSelector: {
            requirements: [
              { key: "a", operator: "In", values: ["b"] },
              { key: "a", operator: "New", values: ["b"] },
            ],
          },
        },
      },
      { allowed: false, evaluationError: "spec.resourceAttributes.fieldSelector partially ignored due to parse error" },
    ],
  ])("of %s is answered", (_what, spec, status) => {
    expect(self(spec).status).toEqual(status);
  });

  it("of somebody else takes their groups, and nothing of whoever asks", () => {
    const other = (spec: JsonObject) =>
      ask("authorization.k8s.io/subjectaccessreviews", authorization("SubjectAccessReview", spec)).status;
    const resourceAttributes = { verb: "update", resource: "secrets", namespace: "a", name: "s" };
    const reason = 'RBAC: allowed by RoleBinding "d/a" of Role "n" to Group "dev"';
    expect(other({ resourceAttributes, user: "bob", groups: ["dev"] })).toEqual({ allowed: true, reason });
    expect(other({ resourceAttributes, user: "bob" })).toEqual({ allowed: false });
    expect(other({ resourceAttributes, groups: ["system:masters"] })).toEqual({ allowed: true });
  });

  it("within a namespace is about that namespace", () => {
    const local = (spec: JsonObject, metadata: JsonObject = {}) =>
      ask("authorization.k8s.io/localsubjectaccessreviews", authorization("LocalSubjectAccessReview", spec, metadata), {
        namespace: "a",
      });
    const resourceAttributes = { verb: "get", resource: "pods", namespace: "a" };
    expect(local({ resourceAttributes, user: "ann" })).toMatchObject({
      metadata: { namespace: "a" },
      status: { allowed: true },
    });
    expect(refusal(() => local({ resourceAttributes: { namespace: "b" }, user: "ann" }))).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "b": must match metadata.namespace',
    });
    expect(refusal(() => local({ nonResourceAttributes: { path: "/x", verb: "get" }, user: "ann" }))).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
    });
    expect(refusal(() => local({ resourceAttributes, user: "ann" }, { namespace: "b" }))).toMatchObject({
      code: 400,
      message: "the namespace of the provided object does not match the namespace sent on the request",
    });
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      "nothing",
      {},
      {},
      '[spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    ],
    [
      "two things at once",
      { user: "x", resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/" } },
      {},
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: cannot be specified in combination with resourceAttributes',
    ],
    ["with a name", { user: "x", resourceAttributes: { verb: "get" } }, { name: "n" }, "metadata: Invalid value: "],
    [
      "with an empty selector",
      { user: "x", resourceAttributes: { labelSelector: {} } },
      {},
      "spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required",
    ],
  ])("of %s is refused", (_what, spec, metadata, why) => {
    const object = authorization("SubjectAccessReview", spec, metadata);
    const status = refusal(() => ask("authorization.k8s.io/subjectaccessreviews", object));
    expect(status).toMatchObject({ code: 422, reason: "Invalid", details: { group: "authorization.k8s.io" } });
    expect(status).toHaveProperty("message", expect.stringContaining(`.authorization.k8s.io "" is invalid: ${why}`));
    expect(status).not.toHaveProperty("details.kind");
  });

  it("of all rules in a namespace lists them", () => {
    const rules = (spec: JsonObject) =>
      ask("authorization.k8s.io/selfsubjectrulesreviews", authorization("SelfSubjectRulesReview", spec));
    expect(JSON.stringify(rules({ namespace: "a" }))).toBe(
      '{"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{},"status":{"resourceRules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]},{"verbs":["update"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["s"]}],"nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/healthz"]}],"incomplete":false}}',
    );
    expect(refusal(() => rules({}))).toMatchObject({ code: 400, message: "no namespace on request" });
  });
});

describe("a review of who it is", () => {
  const tokenReview = (spec: JsonObject) =>
    ask("authentication.k8s.io/tokenreviews", {
      kind: "TokenReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: {},
      spec,
    });

  it.each<[string, JsonObject, object]>([
    [
      "a static token",
      { token: "secret" },
      {
        authenticated: true,
        user: { username: "bob", uid: "9", groups: ["ops", "system:authenticated"] },
        audiences,
      },
    ],
    ["a token that nobody knows", { token: "x" }, { user: {}, error: "invalid bearer token" }],
    ["a static token for others", { token: "secret", audiences: ["x"] }, { user: {}, error: "invalid bearer token" }],
  ])("of %s is answered", (_what, spec, status) => {
    expect(tokenReview(spec).status).toEqual(status);
  });

  it("of a service account's token gives the audiences that were asked for, and says what is wrong with it", () => {
    const issued = ask("/serviceaccounts/token", tokenObject({ audiences: ["vault", "x"] }), {
      namespace: "a",
      name: "robot",
    });
    const { token } = issued.status as { token: string };
    expect(tokenReview({ token, audiences: ["vault", "y"] }).status).toMatchObject({
      authenticated: true,
      user: {
        username: "system:serviceaccount:a:robot",
        uid: "u1",
        groups: ["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"],
      },
      audiences: ["vault"],
    });
    expect(tokenReview({ token }).status).toEqual({
      user: {},
      error: '[invalid bearer token, token audiences ["vault" "x"] is invalid for the target audiences ["https://me"]]',
    });
  });

  it("without a token is refused", () => {
    const message = "token is required for TokenReview in authentication";
    expect(refusal(() => tokenReview({ token: "" }))).toMatchObject({ code: 400, reason: "BadRequest", message });
  });

  it("of oneself tells all that is known", () => {
    const object = { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1", metadata: { name: "x" } };
    expect(JSON.stringify(ask("authentication.k8s.io/selfsubjectreviews", object))).toBe(
      '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","metadata":{"creationTimestamp":"2026-01-31T15:04:05Z"},"status":{"userInfo":{"username":"ann","uid":"7","groups":["dev","system:authenticated"],"extra":{"a/b":["1"],"z/y":["2"]}}}}',
    );
  });
});

const tokenObject = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => {
  return { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata, spec };
};

describe("a request for a token", () => {
  const request = (spec: JsonObject, metadata: JsonObject = {}, name = "robot") =>
    ask("/serviceaccounts/token", tokenObject(spec, metadata), { namespace: "a", name });
  const claims = (answered: Answered) => {
    const { token } = answered.status as { token: string };
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
      exp: number;
      iat: number;
      "kubernetes.io": object;
    };
  };

  it("is answered with a token for the server, for an hour, unless it says otherwise", () => {
    const answered = request({});
    expect(answered).toMatchObject({
      metadata: { name: "robot", namespace: "a", uid: "u1", creationTimestamp: "2026-01-31T15:04:05Z" },
      spec: { audiences, expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: "2026-01-31T16:04:05Z" },
    });
    expect(answered.metadata).toHaveProperty("managedFields[0].subresource", "token");
    expect(claims(answered)["kubernetes.io"]).toEqual({
      namespace: "a",
      serviceaccount: { name: "robot", uid: "u1" },
    });
  });

  it.each<[string, JsonObject, object]>([
    [
      "Pod",
      { kind: "Pod", apiVersion: "v1", name: "p" },
      { pod: { name: "p", uid: "u2" }, node: { name: "n", uid: "u4" } },
    ],
    ["Secret", { kind: "Secret", apiVersion: "v1", name: "s", uid: "u3" }, { secret: { name: "s", uid: "u3" } }],
    ["Node", { kind: "Node", apiVersion: "v1", name: "n" }, { node: { name: "n", uid: "u4" } }],
  ])("can bind it to a %s", (_kind, boundObjectRef, bound) => {
    expect(claims(request({ boundObjectRef }))["kubernetes.io"]).toMatchObject(bound);
  });

  it("of a kubelet for a Pod gets one that lasts, and says when it should have been replaced", () => {
    const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
    const answered = request({ expirationSeconds: 3607, boundObjectRef });
    const { exp, iat, "kubernetes.io": own } = claims(answered);
    expect(exp - iat).toBe(365 * 24 * 3600);
    expect(own).toMatchObject({ warnafter: iat + 3607 });
    expect(answered.status).toMatchObject({ expirationTimestamp: "2026-01-31T16:04:12Z" });
    const foreign = claims(request({ expirationSeconds: 3607, boundObjectRef, audiences: ["vault"] }));
    expect(foreign.exp - foreign.iat).toBe(3607);
  });

  it.each<[string, () => unknown, number, string]>([
    [
      "for too short a time",
      () => request({ expirationSeconds: 599 }),
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      "for too long a time",
      () => request({ expirationSeconds: 2 ** 32 + 1 }),
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      "under another name",
      () => request({}, { name: "x" }),
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [
      "in another namespace",
      () => request({}, { namespace: "x" }),
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.namespace: Invalid value: "x": must match the service account namespace if specified',
    ],
    [
      "for an account that was made anew",
      () => request({}, { uid: "old" }),
      409,
      'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (old) does not match the UID of the service account (u1)',
    ],
    ["for an account that is not there", () => request({}, {}, "gone"), 404, 'serviceaccounts "gone" not found'],
    [
      "bound to a Pod that is not there",
      () => request({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "gone" } }),
      404,
      'pods "gone" not found',
    ],
    [
      "bound to a Pod of another account",
      () => request({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "q" } }),
      400,
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    [
      "bound to a Pod that was made anew",
      () => request({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p", uid: "old" } }),
      409,
      'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      "bound to something else",
      () => request({ boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "d" } }),
      400,
      "cannot bind token to object of type apps/v1, Kind=Deployment",
    ],
    [
      "bound to something else of the core group",
      () => request({ boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "d" } }),
      400,
      "cannot bind token to object of type /v1, Kind=ConfigMap",
    ],
  ])("%s is refused", (_what, work, code, message) => {
    expect(refusal(work)).toMatchObject({ code, message });
  });
});

it("leaves what is kept to others", () => {
  expect(reviewOf("", "serviceaccounts")).toBeUndefined();
  expect(reviewOf("", "pods")).toBeUndefined();
});
