import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, specOf, withFields } from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";
import { immutableField } from "./immutability.ts";

export const storageClassRules: KindRules = {
  updateErrors: (object, old) =>
    ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"].flatMap((name) =>
      immutableField(name, object[name], old[name]),
    ),
};

export const volumeAttachmentRules: KindRules = {
  updateErrors: (object, old) => immutableField("spec", object["spec"], old["spec"]),
};

/** The path has a misspelling that clients know by now. */
export const csiDriverRules: KindRules = {
  updateErrors(object, old) {
    const [now, before] = [specOf(object), specOf(old)];
    return [
      ...immutableField("spec.attachedRequired", now["attachRequired"], before["attachRequired"]),
      ...immutableField("spec.volumeLifecycleModes", now["volumeLifecycleModes"], before["volumeLifecycleModes"]),
    ];
  },
};

/** How many volumes a driver can attach may change; what it is called on the node may not. */
export const csiNodeRules: KindRules = {
  updateErrors(object, old) {
    const before = new Map(driversOf(old).map((driver) => [driver["name"], driver]));
    return driversOf(object).flatMap((driver) => {
      const known = before.get(driver["name"] ?? "");
      return known === undefined ? [] : immutableField("spec.drivers", settled(driver), settled(known));
    });
  },
};

function driversOf(object: JsonObject): JsonObject[] {
  return listOf(specOf(object)["drivers"]).map(fieldsOf);
}

function settled(driver: JsonObject): JsonObject {
  return withFields(driver, { allocatable: undefined });
}
