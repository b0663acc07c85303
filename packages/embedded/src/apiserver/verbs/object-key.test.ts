import { describe, expect, it } from "vitest";
import { keyPrefix, namesInKey, objectKey, resourcePrefixOf } from "./object-key.ts";

const pods = { group: "", plural: "pods", namespaced: true };
const nodes = { group: "", plural: "nodes", namespaced: false };
const deployments = { group: "apps", plural: "deployments", namespaced: true };
const events = { group: "events.k8s.io", plural: "events", namespaced: true };

describe("the key of an object", () => {
  it.each([
    [pods, "a", "/registry/core/pods/a/one", "a"],
    [nodes, undefined, "/registry/core/nodes/one", ""],
    [nodes, "a", "/registry/core/nodes/one", ""],
    [deployments, "a", "/registry/apps/deployments/a/one", "a"],
    [events, "a", "/registry/core/events/a/one", "a"],
  ])("has all that is needed to find it, and can be read back: %j %s", (resource, namespace, key, namespaceInKey) => {
    expect(objectKey(resource, { namespace, name: "one" })).toBe(key);
    expect(namesInKey(key)).toEqual({ namespace: namespaceInKey, name: "one" });
    expect(resourcePrefixOf(key)).toBe(keyPrefix(resource));
  });

  it.each(["a/b", "..", ".", "a%b"])("is not made of the name %s", (name) => {
    expect(() => objectKey(pods, { namespace: "a", name })).toThrow(/^Name parameter invalid: /u);
  });
});
