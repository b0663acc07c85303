import type { CustomResourceDefinition } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { deprecationWarnings } from "./deprecation.ts";
import { ResourceRegistry } from "./resource-registry.ts";

type Version = CustomResourceDefinition["spec"]["versions"][number];

const version = (name: string, more: Partial<Version> = {}): Version => ({
  name,
  served: true,
  storage: name === "v1",
  ...more,
});

function warningsFor(name: string, versions: readonly Version[]): readonly string[] {
  const registry = new ResourceRegistry();
  const [built] = registry.list();
  if (built === undefined) throw new TypeError("there are no built-in resources");
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boats.harbour.test" },
    spec: { group: "harbour.test", names: { plural: "boats", kind: "Boat" }, scope: "Namespaced", versions },
  } as CustomResourceDefinition;
  return deprecationWarnings({ ...built, group: "harbour.test", version: name, plural: "boats", definition });
}

describe("whoever uses an outdated version", () => {
  it("is told which one to use, the newest that is neither outdated nor older", () => {
    const versions = [
      version("v1alpha1"),
      version("v1beta1", { deprecated: true }),
      version("v1"),
      version("v2", { deprecated: true }),
      version("v3", { served: false }),
    ];
    expect(warningsFor("v1beta1", versions)).toEqual([
      "harbour.test/v1beta1 Boat is deprecated; use harbour.test/v1 Boat",
    ]);
    expect(warningsFor("v2", versions)).toEqual(["harbour.test/v2 Boat is deprecated"]);
    expect(warningsFor("v1", versions)).toEqual([]);
  });

  it("is told so in the words of the definition where it has any", () => {
    const versions = [version("v1beta1", { deprecated: true, deprecationWarning: "boats sink" }), version("v1")];
    expect(warningsFor("v1beta1", versions)).toEqual(["boats sink"]);
  });

  it("is told so of built-in resources", () => {
    const find = (plural: string) => new ResourceRegistry().find({ group: "", version: "v1", plural });
    const endpoints = find("endpoints");
    const configMaps = find("configmaps");
    if (endpoints === undefined || configMaps === undefined) throw new TypeError("not served");
    expect(deprecationWarnings(endpoints)).toEqual([
      "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    ]);
    expect(deprecationWarnings(configMaps)).toEqual([]);
  });
});
