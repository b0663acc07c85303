import type { CustomResourceDefinition } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { compareVersions, groupDocument, groupListDocument, resourceListDocument } from "./discovery.ts";
import { ResourceRegistry } from "./resource-registry.ts";

const definition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boats.harbour.test" },
  spec: {
    group: "harbour.test",
    names: { plural: "boats", singular: "boat", kind: "Boat", shortNames: ["bt"], categories: ["all"] },
    scope: "Namespaced",
    versions: [
      { name: "v1beta1", served: true, storage: false },
      { name: "v1", served: true, storage: true, subresources: { status: {} } },
      { name: "v1alpha1", served: false, storage: false },
    ],
  },
};

describe("discovery", () => {
  it("tells of built-in resources as the real server does", () => {
    const { resources = [] } = resourceListDocument(new ResourceRegistry(), { group: "", version: "v1" }) ?? {};
    const found = (name: string) => resources.find((resource) => resource.name === name);
    expect(found("pods")).toEqual({
      name: "pods",
      singularName: "pod",
      namespaced: true,
      kind: "Pod",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["po"],
      categories: ["all"],
      storageVersionHash: "xPOwRZ+Yhw8=",
    });
    expect(found("pods/eviction")).toMatchObject({
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    expect(found("bindings")).not.toHaveProperty("storageVersionHash");
  });

  it("has the served versions of definitions, and has them no longer when they go", () => {
    const registry = new ResourceRegistry();
    registry.define(definition);
    expect(groupDocument(registry, "harbour.test")).toEqual({
      kind: "APIGroup",
      apiVersion: "v1",
      name: "harbour.test",
      versions: [
        { groupVersion: "harbour.test/v1", version: "v1" },
        { groupVersion: "harbour.test/v1beta1", version: "v1beta1" },
      ],
      preferredVersion: { groupVersion: "harbour.test/v1", version: "v1" },
    });
    const list = resourceListDocument(registry, { group: "harbour.test", version: "v1" });
    expect(list?.resources.map(({ name }) => name)).toEqual(["boats", "boats/status"]);
    expect(resourceListDocument(registry, { group: "harbour.test", version: "v1alpha1" })).toBeUndefined();
    registry.undefine("boats.harbour.test");
    expect(groupDocument(registry, "harbour.test")).toBeUndefined();
    expect(groupListDocument(registry).groups.map(({ name }) => name)).not.toContain("harbour.test");
  });

  test.each([[["v1alpha1", "v2beta1", "v1", "foo10", "v10", "v2beta2", "foo1", "v2"]]])(
    "orders versions",
    (versions) => {
      const order = ["v10", "v2", "v1", "v2beta2", "v2beta1", "v1alpha1", "foo1", "foo10"];
      expect(versions.toSorted(compareVersions)).toEqual(order);
    },
  );
});
