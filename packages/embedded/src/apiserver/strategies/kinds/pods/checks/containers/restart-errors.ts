import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, required, tooMany } from "@stowage/machinery/structural";
import { isFields, listOf } from "../../../../json-fields.ts";
import { choiceErrors, itemErrors, when } from "../field-checks.ts";

const needsPolicy = "must specify restartPolicy when restart rules are used";

/** When a container that ended is started again, and what its exit codes say of that. */
export function restartErrors(container: JsonObject, path: string): FieldError[] {
  const { restartPolicy, restartPolicyRules } = container;
  const count = listOf(restartPolicyRules).length;
  const at = `${path}.restartPolicyRules`;
  return [
    ...(restartPolicy === undefined
      ? when(count > 0, required(`${path}.restartPolicy`, needsPolicy))
      : choiceErrors(`${path}.restartPolicy`, restartPolicy, ["Always", "Never", "OnFailure"])),
    ...when(count > 20, tooMany(at, count, 20)),
    ...itemErrors(restartPolicyRules, at, ruleErrors),
  ];
}

export function initRestartErrors(container: JsonObject, path: string): FieldError[] {
  if (container["restartPolicy"] !== undefined) return restartErrors(container, path);
  const hasRules = listOf(container["restartPolicyRules"]).length > 0;
  return when(hasRules, required(`${path}.restartPolicy`, needsPolicy));
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const { action, exitCodes } = rule;
  const at = `${path}.exitCodes`;
  const ofAction = choiceErrors(`${path}.action`, action, ["Restart", "RestartAllContainers"]);
  if (!isFields(exitCodes)) return [...ofAction, required(at, "must be specified")];
  const count = listOf(exitCodes["values"]).length;
  return [
    ...ofAction,
    ...choiceErrors(`${at}.operator`, exitCodes["operator"], ["In", "NotIn"]),
    ...when(count > 255, tooMany(`${at}.values`, count, 255)),
  ];
}
