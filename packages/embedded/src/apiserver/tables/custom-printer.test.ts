import type { CustomResourceDefinition, KubernetesObject } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { ResourceRegistry } from "../resources/index.ts";
import { Ages } from "./ages.ts";
import { customPrinter } from "./custom-printer.ts";

type Columns = NonNullable<CustomResourceDefinition["spec"]["versions"][number]["additionalPrinterColumns"]>;

function printerWith(additionalPrinterColumns: Columns) {
  const registry = new ResourceRegistry();
  registry.define({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.test" },
    spec: {
      group: "example.test",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, additionalPrinterColumns }],
    },
  });
  const resource = registry.find({ group: "example.test", version: "v1", plural: "things" });
  if (resource === undefined) throw new TypeError("there are no things");
  return customPrinter(resource);
}

const ages = new Ages(Date.parse("2026-01-01T00:01:00Z"));
const object = {
  metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { text: "t", none: null, number: 2500000.5, flag: true, map: { b: 1, a: "<" } },
} as unknown as KubernetesObject;

describe("the columns of a definition", () => {
  it("are the name and the age when it has none", () => {
    const { columns, cells } = printerWith([]);
    expect(columns.map(({ name }) => name)).toEqual(["Name", "Age"]);
    expect(cells(object, ages)).toEqual(["a", "60s"]);
  });

  it("end at one whose path cannot be read", () => {
    const paths = [".spec.text", ".spec[", ".spec.flag"];
    const { columns } = printerWith(paths.map((jsonPath) => ({ name: jsonPath, type: "string", jsonPath })));
    expect(columns.map(({ name }) => name)).toEqual(["Name", ".spec.text"]);
  });

  it.each([
    ["string", ".spec.text", "t"],
    ["string", ".spec.nothing", null],
    ["string", ".spec.none", "<no value>"],
    ["string", ".spec.number", "2.5000005e+06"],
    ["string", ".spec.map", '{"a":"\\u003c","b":1}'],
    ["integer", ".spec.number", 2500000],
    ["integer", ".spec.text", null],
    ["number", ".spec.number", 2500000.5],
    ["boolean", ".spec.flag", true],
    ["boolean", ".spec.text", null],
    ["date", ".metadata.creationTimestamp", "60s"],
    ["date", ".spec.text", "<invalid>"],
    ["date", ".spec.flag", null],
  ])("show as %s what is at %s", (type, jsonPath, cell) => {
    expect(printerWith([{ name: "X", type, jsonPath }]).cells(object, ages)[1]).toBe(cell);
  });
});
