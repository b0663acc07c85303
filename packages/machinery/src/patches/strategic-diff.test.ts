import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deployment, Service } from "../api/index.ts";
import { applyStrategicMergePatch, createStrategicMergePatch } from "./index.ts";
import { deployment, frozen } from "./patch-arbitraries.ts";

function withSpec(spec: object): Deployment {
  return frozen({ apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec } as unknown as Deployment);
}

function withContainers(...containers: object[]): Deployment {
  return withSpec({ template: { spec: { containers } } });
}

function withPorts(...ports: object[]): Service {
  return frozen({ apiVersion: "v1", kind: "Service", metadata: {}, spec: { ports } } as unknown as Service);
}

function diffContainers(from: object[], to: object[]): unknown {
  const patch = createStrategicMergePatch(withContainers(...from), withContainers(...to)) as Deployment;
  return patch.spec?.template?.spec;
}

describe("computing a strategic merge patch", () => {
  it("says nothing of what is equal", () => {
    const object = withContainers({ name: "a" });
    expect(createStrategicMergePatch(object, structuredClone(object))).toEqual({});
  });

  it("names what changed in an item, and the order of all", () => {
    const from = [{ name: "a", image: "a:1", tty: true }, { name: "b" }];
    const to = [{ name: "a", image: "a:2" }, { name: "b" }];
    expect(diffContainers(from, to)).toEqual({
      "$setElementOrder/containers": [{ name: "a" }, { name: "b" }],
      containers: [{ name: "a", image: "a:2", tty: null }],
    });
  });

  it("deletes items by their key", () => {
    expect(diffContainers([{ name: "a" }, { name: "b" }], [{ name: "b" }])).toEqual({
      "$setElementOrder/containers": [{ name: "b" }],
      containers: [{ name: "a", $patch: "delete" }],
    });
  });

  it("says a change of order alone", () => {
    expect(diffContainers([{ name: "a" }, { name: "b" }], [{ name: "b" }, { name: "a" }])).toEqual({
      "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
    });
  });

  it("deletes plain values by name", () => {
    const finalizers = (...names: string[]) => ({ ...withSpec({}), metadata: { finalizers: names } });
    expect(createStrategicMergePatch(finalizers("a", "b"), finalizers("b", "c"))).toEqual({
      metadata: {
        "$deleteFromPrimitiveList/finalizers": ["a"],
        "$setElementOrder/finalizers": ["b", "c"],
        finalizers: ["c"],
      },
    });
  });

  it("lists the fields that stay where one way of saying a thing excludes another", () => {
    const rolling = withSpec({ strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } });
    expect(createStrategicMergePatch(rolling, withSpec({ strategy: { type: "Recreate" } }))).toEqual({
      spec: { strategy: { $retainKeys: ["type"], type: "Recreate", rollingUpdate: null } },
    });
  });

  it("says the whole list when items share a key", () => {
    const from = withPorts({ port: 53, protocol: "UDP" }, { port: 53, protocol: "TCP" });
    const to = withPorts({ port: 53, protocol: "TCP" });
    const patch = createStrategicMergePatch(from, to);
    expect(patch).toEqual({ spec: { ports: [{ $patch: "replace" }, { port: 53, protocol: "TCP" }] } });
    expect(applyStrategicMergePatch(from, patch)).toEqual(to);
  });

  it("refuses lists that have lost their key", () => {
    expect(() => diffContainers([{ name: "a" }], [{ image: "a" }])).toThrow("an item has no name");
  });

  it("gives a patch that leads from any object to any other of its kind", () => {
    fc.assert(
      fc.property(deployment, deployment, (from, to) => {
        expect(applyStrategicMergePatch(from, frozen(createStrategicMergePatch(from, to)))).toEqual(to);
      }),
      { numRuns: 1000 },
    );
  });
});
