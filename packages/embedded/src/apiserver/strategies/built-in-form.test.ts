import { describe, expect, it } from "vitest";
import { builtInForm } from "./built-in-form.ts";

function form(apiVersion: string, kind: string, body: object) {
  return builtInForm({ apiVersion, kind }, { metadata: { name: "a" }, ...body }, {});
}

describe("the form of a built-in object", () => {
  it("has no nulls, no empty maps and lists, and what is never left out", () => {
    const template = {
      spec: { containers: [{ name: "c", volumeMounts: [], env: null, resources: {} }], volumes: null },
    };
    const { object } = form("apps/v1", "Deployment", { spec: { replicas: 0, selector: {}, template } });
    expect(object["spec"]).toEqual({
      replicas: 0,
      selector: {},
      strategy: {},
      template: { metadata: {}, spec: { containers: [{ name: "c", resources: {} }] } },
    });
    expect(object["status"]).toEqual({});
  });

  it("keeps structs that are empty, texts that are empty, and JSON as it is", () => {
    const volumes = [{ name: "v", emptyDir: {} }];
    expect(form("v1", "Pod", { spec: { containers: [], volumes } }).object["spec"]).toEqual({
      containers: [],
      volumes,
    });
    const claim = form("v1", "PersistentVolumeClaim", { spec: { storageClassName: "" } }).object["spec"];
    expect(claim).toEqual({ storageClassName: "", resources: {} });
  });

  it("tells an empty list from none where it is kept as JSON", () => {
    const status = { conditions: [] };
    const { object } = form("apiextensions.k8s.io/v1", "CustomResourceDefinition", { status });
    expect(object["status"]).toMatchObject({ conditions: [], storedVersions: null });
  });

  it("names what it does not know by its path", () => {
    const { unknownFields } = form("v1", "Pod", {
      x: 1,
      spec: { containers: [{ name: "c", y: 1 }] },
      metadata: { z: 1 },
    });
    expect(unknownFields).toEqual(["metadata.z", "x", "spec.containers[0].y"]);
  });

  it("says what is of another type", () => {
    expect(form("v1", "ConfigMap", { data: "x" }).problem).toMatch(
      /^json: cannot unmarshal string into Go struct field ConfigMap\.data/,
    );
    expect(form("v1", "ConfigMap", { metadata: { labels: { a: 1 } } }).problem).toBe(
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    );
  });
});
