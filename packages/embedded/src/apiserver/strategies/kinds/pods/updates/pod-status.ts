import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, metadataOf, numberOf, textOf, withFields, withMetadata } from "../../../json-fields.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { withoutDisabledStatus } from "./disabled-fields.ts";

/** The Pod with a new status. Who owns it, that it is going, and how sure it is of its resources is not for that to say. */
export function podWithStatus(pod: JsonObject, old: JsonObject): JsonObject {
  const [status, before] = [fieldsOf(pod["status"]), fieldsOf(old["status"])];
  const { deletionTimestamp, ownerReferences } = metadataOf(old);
  const qosClass = textOf(status["qosClass"]) === "" ? before["qosClass"] : status["qosClass"];
  const observedGeneration = generationOf(status) === 0 ? before["observedGeneration"] : status["observedGeneration"];
  const conditions = conditionsOf(status, before);
  const kept = withFields(withoutDisabledStatus(status), {
    qosClass,
    observedGeneration,
    ...(conditions.length > 0 && { conditions }),
  });
  return { ...withMetadata(pod, { deletionTimestamp, ownerReferences }), status: kept };
}

function generationOf(part: JsonObject): number {
  return numberOf(part["observedGeneration"]) ?? 0;
}

/** Who does not know of generations leaves those that others wrote. */
function conditionsOf(status: JsonObject, before: JsonObject): JsonObject[] {
  const known = Map.groupBy(itemsOf(before["conditions"]), ({ type }) => textOf(type));
  return itemsOf(status["conditions"]).map((condition) => {
    const old = known.get(textOf(condition["type"]))?.shift();
    if (generationOf(condition) !== 0) return condition;
    return withFields(condition, { observedGeneration: old?.["observedGeneration"] });
  });
}
