import { describe, expect, it, test } from "vitest";
import { requestInfo } from "./request-info.ts";

const words = (method: string, path: string) => {
  const info = requestInfo(method, new URL(path, "https://server"));
  if (!info.isResource) return `${info.verb} ${info.path}`;
  const { verb, group, version, resource, subresource, namespace, name, rest } = info;
  const what = [resource, subresource].filter(Boolean).join("/");
  return [verb, what, `${group}/${version}`, `ns=${namespace}`, `name=${name}`, ...rest].join(" ");
};

describe("a request", () => {
  test.each([
    ["GET", "/api/v1/pods", "list pods /v1 ns=undefined name=undefined"],
    ["GET", "/api/v1/pods?watch", "watch pods /v1 ns=undefined name=undefined"],
    ["GET", "/api/v1/pods?watch=true", "watch pods /v1 ns=undefined name=undefined"],
    ["GET", "/api/v1/pods?watch=0", "list pods /v1 ns=undefined name=undefined"],
    ["GET", "/api/v1/namespaces/shop/pods/web", "get pods /v1 ns=shop name=web"],
    ["HEAD", "/api/v1/namespaces/shop/pods/web", "get pods /v1 ns=shop name=web"],
    ["POST", "/apis/apps/v1/namespaces/shop/deployments", "create deployments apps/v1 ns=shop name=undefined"],
    ["PUT", "/apis/apps/v1/namespaces/shop/deployments/web/scale", "update deployments/scale apps/v1 ns=shop name=web"],
    ["DELETE", "/api/v1/namespaces/shop/pods", "deletecollection pods /v1 ns=shop name=undefined"],
    ["DELETE", "/api/v1/nodes/n1", "delete nodes /v1 ns=undefined name=n1"],
    ["GET", "/api/v1/namespaces", "list namespaces /v1 ns=undefined name=undefined"],
    ["GET", "/api/v1/namespaces/shop", "get namespaces /v1 ns=shop name=shop"],
    ["PUT", "/api/v1/namespaces/shop/finalize", "update namespaces/finalize /v1 ns=shop name=shop"],
    ["PATCH", "/api/v1/namespaces/shop/status", "patch namespaces/status /v1 ns=shop name=shop"],
    ["GET", "/api/v1/nodes/n1/proxy/logs/a", "get nodes/proxy /v1 ns=undefined name=n1 logs a"],
    ["GET", "/api/v1/namespaces/shop/configmaps/a%2Eb", "get configmaps /v1 ns=shop name=a.b"],
    ["GET", "/apis", "get /apis"],
    ["GET", "/apis/apps/v1", "get /apis/apps/v1"],
    ["GET", "/api/v1", "get /api/v1"],
    ["GET", "/version", "get /version"],
    ["POST", "/", "post /"],
  ])("%s %s is read as %s", (method, path, expected) => {
    expect(words(method, path)).toBe(expected);
  });

  it("with bytes that are no text asks for nothing that there is", () => {
    expect(words("GET", "/api/v1/pods/%ff")).toBe("get /api/v1/pods/%ff");
  });
});
