import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, textOf } from "../json-fields.ts";
import { labelKeyErrors } from "./label-selectors.ts";

const statuses = ["False", "True", "Unknown"];
const mostReasonBytes = 1024;
const mostMessageBytes = 32 * 1024;
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/u;
const reasonMessage =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters " +
  "or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or " +
  "'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** Of conditions that are written as the API's conventions have them. */
export function conditionListErrors(conditions: JsonValue | undefined, path: string): FieldError[] {
  const types = listOf(conditions).map((condition) => textOf(fieldsOf(condition)["type"]));
  return listOf(conditions).flatMap((condition, index) => {
    const type = types[index] ?? "";
    const at = `${path}[${index}]`;
    return [
      ...(types.indexOf(type) < index ? [duplicate(`${at}.type`, type)] : []),
      ...conditionErrors(fieldsOf(condition), at),
    ];
  });
}

function conditionErrors(condition: JsonObject, path: string): FieldError[] {
  const { type, status, observedGeneration, lastTransitionTime, reason, message } = condition;
  const isNegative = (numberOf(observedGeneration) ?? 0) < 0;
  const detail = "must be greater than or equal to zero";
  return [
    ...labelKeyErrors(textOf(type), `${path}.type`),
    ...(statuses.includes(textOf(status)) ? [] : [notSupported(`${path}.status`, status ?? "", statuses)]),
    ...(isNegative ? [invalid(`${path}.observedGeneration`, observedGeneration, detail)] : []),
    ...(textOf(lastTransitionTime) === "" ? [required(`${path}.lastTransitionTime`)] : []),
    ...reasonErrors(textOf(reason), `${path}.reason`),
    ...(Buffer.byteLength(textOf(message)) > mostMessageBytes ? [tooLong(`${path}.message`, mostMessageBytes)] : []),
  ];
}

function reasonErrors(reason: string, path: string): FieldError[] {
  if (reason === "") return [required(path)];
  return [
    ...(reasonPattern.test(reason) ? [] : [invalid(path, reason, reasonMessage)]),
    ...(Buffer.byteLength(reason) > mostReasonBytes ? [tooLong(path, mostReasonBytes)] : []),
  ];
}
