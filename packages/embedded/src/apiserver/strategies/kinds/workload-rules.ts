import { forbidden, invalid } from "@stowage/machinery/structural";
import { sameJson, specOf, withFields } from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";
import { immutableField } from "./immutability.ts";

/** A role that is bound stays the one that was bound. */
export const bindingRules: KindRules = {
  updateErrors: (object, old) =>
    sameJson(object["roleRef"], old["roleRef"])
      ? []
      : [invalid("roleRef", object["roleRef"] ?? null, "cannot change roleRef")],
};

/** What is selected stays selected: the objects that a controller has made would be lost to it. */
export const workloadRules: KindRules = {
  updateErrors: (object, old) => immutableField("spec.selector", specOf(object)["selector"], specOf(old)["selector"]),
};

const changeableOfSet = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
] as const;

export const statefulSetRules: KindRules = {
  updateErrors(object, old) {
    const left = Object.fromEntries(changeableOfSet.map((name) => [name, undefined]));
    const [error] = immutableField("spec", withFields(specOf(object), left), withFields(specOf(old), left));
    if (error === undefined) return [];
    const names = changeableOfSet.map((name) => `'${name}'`);
    const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
    return [forbidden("spec", `updates to statefulset spec for fields other than ${list} are forbidden`)];
  },
};
