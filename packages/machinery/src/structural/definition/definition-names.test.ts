import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "../../api/index.ts";
import { newDefinition, storedVersions } from "./definition-defaults.ts";
import { desiredNames } from "./definition-names.ts";

function definition(names: Partial<CustomResourceDefinitionNames>, group = "example.com"): CustomResourceDefinition {
  const all = { plural: "things", kind: "Thing", ...names };
  return newDefinition({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${all.plural}.${group}` },
    spec: { group, names: all, scope: "Cluster", versions: [{ name: "v1", served: true, storage: true }] },
  });
}

function accepted(one: CustomResourceDefinition): CustomResourceDefinition {
  return {
    ...one,
    status: { ...one.status, acceptedNames: desiredNames(one, []).acceptedNames, storedVersions: ["v1"] },
  };
}

describe("the names of a definition", () => {
  it("are accepted where no other of the group has them", () => {
    const { acceptedNames, conditions } = desiredNames(definition({ shortNames: ["th"] }), [
      accepted(definition({}, "other.com")),
    ]);
    expect(acceptedNames).toEqual({
      plural: "things",
      singular: "thing",
      kind: "Thing",
      listKind: "ThingList",
      shortNames: ["th"],
    });
    expect(conditions).toEqual([
      { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
      { type: "Established", status: "False", reason: "Installing", message: "the initial names have been accepted" },
    ]);
  });

  it.each([
    [{ plural: "others", kind: "Thing" }, "ListKindConflict", '"ThingList" is already in use'],
    [{ plural: "others", kind: "Other", singular: "thing" }, "SingularConflict", '"thing" is already in use'],
    [{ plural: "others", kind: "Other", shortNames: ["th", "o"] }, "ShortNamesConflict", '"th" is already in use'],
  ])("are refused where another has one: %j", (names, reason, message) => {
    const { conditions } = desiredNames(definition(names), [accepted(definition({ shortNames: ["th"] }))]);
    expect(conditions).toEqual([
      { type: "NamesAccepted", status: "False", reason, message },
      { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" },
    ]);
  });

  it("stay with a definition that is served", () => {
    const established = { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "m" };
    const served = accepted(definition({}));
    const again = { ...served, status: { ...served.status, storedVersions: ["v1"], conditions: [established] } };
    expect(desiredNames(again, [again]).conditions.at(-1)).toEqual(established);
  });
});

describe("stored versions", () => {
  it("keep what was ever stored", () => {
    const one = definition({});
    const changed = { ...one, spec: { ...one.spec, versions: [{ name: "v2", served: true, storage: true }] } };
    expect(storedVersions(changed)).toEqual(["v1", "v2"]);
  });
});
