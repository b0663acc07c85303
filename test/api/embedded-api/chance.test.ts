import { expect, it } from "vitest";
import { withoutChance } from "./chance.ts";

const step = "deletes the definition";

function definition(...managers: readonly { manager: string; fields: object }[]) {
  const managedFields = managers.map(({ manager, fields }) => ({
    manager,
    operation: "Update",
    apiVersion: "apiextensions.k8s.io/v1",
    fieldsV1: { "f:status": { "f:conditions": fields } },
  }));
  return { step, code: 200, contentType: "application/json", warnings: [], body: { metadata: { managedFields } } };
}

function going(fields: object) {
  return { manager: "kube-apiserver", fields: { 'k:{"type":"Terminating"}': fields } };
}

it("whether a second ended between two words of a definition that goes is no difference", () => {
  const within = definition(going({ ".": {}, "f:message": {} }));
  const across = definition(going({ ".": {}, "f:message": {}, "f:lastTransitionTime": {} }));
  expect(withoutChance(within)).toEqual(withoutChance(across));
  expect(withoutChance(within)).not.toEqual(withoutChance(definition(going({ ".": {} }))));
});

it("managers are in one order, whose times are of whole seconds", () => {
  const mine = { manager: "kubectl", fields: {} };
  expect(withoutChance(definition(mine, going({})))).toEqual(withoutChance(definition(going({}), mine)));
  expect(withoutChance(definition(mine, going({})))).not.toEqual(withoutChance(definition(mine)));
});
