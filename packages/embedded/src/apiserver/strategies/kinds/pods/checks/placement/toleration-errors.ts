import { labelValueErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { textOf } from "../../../../json-fields.ts";
import { labelKeyErrors } from "../../../label-selectors.ts";
import { itemErrors, listedErrors, when } from "../field-checks.ts";

export function tolerationErrors(value: JsonValue | undefined, path: string): FieldError[] {
  return itemErrors(value, path, (toleration, at) => {
    const key = textOf(toleration["key"]);
    const { operator, effect } = toleration;
    const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    const evicting = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    return [
      ...(key === "" ? [] : labelKeyErrors(key, `${at}.key`)),
      ...when(key === "" && operator !== "Exists", invalid(`${at}.operator`, operator ?? "", all)),
      ...when(
        toleration["tolerationSeconds"] !== undefined && effect !== "NoExecute",
        invalid(`${at}.effect`, effect ?? "", evicting),
      ),
      ...operatorErrors(toleration, `${at}.operator`),
      ...(textOf(effect) === ""
        ? []
        : listedErrors(`${at}.effect`, effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"])),
    ];
  });
}

/** What is wrong with the value is said of the operator. */
function operatorErrors(toleration: JsonObject, path: string): FieldError[] {
  const operator = textOf(toleration["operator"]);
  const value = textOf(toleration["value"]);
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueErrors(value);
      return when(problems.length > 0, invalid(path, value, problems.join(";")));
    }
    case "Exists":
      return when(value !== "", invalid(path, value, "value must be empty when `operator` is 'Exists'"));
    case "Lt":
    case "Gt":
      return [notSupported(path, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(path, operator, ["Equal", "Exists"])];
  }
}
