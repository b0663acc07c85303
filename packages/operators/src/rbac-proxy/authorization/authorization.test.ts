import { describe, expect, it } from "vitest";
import { parseAuthorizationConfig, type StaticRule } from "./authorization-config.ts";
import { requestAttributes } from "./request-attributes.ts";
import { isAllowedByRule } from "./static-rules.ts";

const get = { method: "GET", path: "/metrics", query: "", headers: {} };
const services = { namespace: "ns", apiVersion: "v1", resource: "services", subresource: "proxy", name: "s" };

describe("the right that a request needs", () => {
  it.each([
    ["GET", "get"],
    ["POST", "create"],
    ["PUT", "update"],
    ["PATCH", "patch"],
    ["DELETE", "delete"],
    ["HEAD", "*"],
    ["constructor", "*"],
  ])("is, without a file, the one to the path: %s is %s", (method, verb) => {
    const config = parseAuthorizationConfig(undefined);
    expect(requestAttributes(config, { ...get, method })).toEqual([
      { nonResourceAttributes: { path: "/metrics", verb } },
    ]);
  });

  it("is the one to the resource that the file names", () => {
    const config = parseAuthorizationConfig({ authorization: { resourceAttributes: { ...services, apiGroup: "g" } } });
    const { apiVersion: version, ...same } = services;
    expect(requestAttributes(config, get)).toEqual([
      { resourceAttributes: { verb: "get", group: "g", version, ...same } },
    ]);
  });

  it("is filled in from the request, once for each value of the parameter and of the header", () => {
    const config = parseAuthorizationConfig({
      authorization: {
        rewrites: { byQueryParameter: { name: "namespace" }, byHttpHeader: { name: "X-Namespace" } },
        resourceAttributes: { resource: "namespace", subresource: "metrics", namespace: "in-{{ .Value }}" },
      },
    });
    const request = { ...get, query: "namespace=a&namespace=b%2Fc", headers: { "x-namespace": "{{ .Value }}" } };
    const found = requestAttributes(config, request).map((each) => each.resourceAttributes?.namespace);
    expect(found).toEqual(["in-a", "in-b/c", "in-{{ .Value }}"]);
    expect(requestAttributes(config, get)).toEqual([]);
  });
});

describe("a rule of the file", () => {
  const user = { username: "ann", groups: ["readers", "system:authenticated"] };
  const path = requestAttributes(parseAuthorizationConfig(undefined), get)[0] ?? {};
  const config = parseAuthorizationConfig({ authorization: { resourceAttributes: services } });
  const resource = requestAttributes(config, get)[0] ?? {};
  const ruleOf = (rule: unknown) => parseAuthorizationConfig({ authorization: { static: [rule] } }).static;

  it.each([
    ["allows whoever asks for the path", { path: "/metrics" }, path, true],
    ["is for one path", { path: "/other" }, path, false],
    ["is for one verb", { path: "/metrics", verb: "create" }, path, false],
    ["is for one user", { path: "/metrics", user: { name: "bob" } }, path, false],
    ["is for that user", { path: "/metrics", user: { name: "ann" } }, path, true],
    ["is for a group", { path: "/metrics", user: { groups: ["writers", "readers"] } }, path, true],
    ["is for no other group", { path: "/metrics", user: { groups: ["writers"] } }, path, false],
    ["for a path allows no resource", { path: "/metrics" }, resource, false],
    ["for a resource allows no path", { resourceRequest: true }, path, false],
    ["allows a resource", { resourceRequest: true, resource: "services", subresource: "proxy" }, resource, true],
    ["is for one namespace", { resourceRequest: true, namespace: "other" }, resource, false],
  ])("%s", (_, rule, attributes, expected) => {
    expect(isAllowedByRule(ruleOf(rule) as StaticRule[], user, attributes)).toBe(expected);
  });
});

describe("a file", () => {
  it.each([
    ["not a map", "text", /the file is not a map/],
    ["with another field", { authorisation: {} }, /unknown field "authorisation"/],
    ["with a misspelt attribute", resourceAttributes({ namspace: "a" }), /resourceAttributes has .* "namspace"/],
    ["with a number for a name", resourceAttributes({ name: 1 }), /resourceAttributes.name is not a string/],
    ["with a template of another kind", resourceAttributes({ name: "{{ .Name }}" }), /other than \{\{ .Value \}\}/],
    ["with rewrites of nothing", { authorization: { rewrites: {} } }, /nothing to rewrite/],
    ["with rewrites by nothing", rewrites({ byHttpHeader: { name: "" } }), /neither a query parameter nor a header/],
    ["with rules that are no list", { authorization: { static: {} } }, /static is not a list/],
    ["with a rule for nothing", { authorization: { static: [{ verb: "get" }] } }, /static\[0\] must have either/],
    ["with a rule for both", { authorization: { static: [{ resourceRequest: true, path: "/" }] } }, /must have either/],
    [
      "with a rule for groups of numbers",
      { authorization: { static: [{ path: "/", user: { groups: [1] } }] } },
      /groups/,
    ],
  ])("%s is refused", (_, document, message) => {
    expect(() => parseAuthorizationConfig(document)).toThrow(message);
  });

  it.each([null, {}, { authorization: null }, { authorization: {} }])("that says nothing, %j, is none", (document) => {
    expect(parseAuthorizationConfig(document)).toEqual({ static: [] });
  });
});

function resourceAttributes(fields: object): object {
  return { authorization: { resourceAttributes: fields } };
}

function rewrites(fields: object): object {
  return { authorization: { rewrites: fields, resourceAttributes: {} } };
}
