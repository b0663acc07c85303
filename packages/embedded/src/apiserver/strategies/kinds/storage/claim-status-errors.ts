import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, specOf, textOf } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";

const resizeStates = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
].toSorted();

export function claimStatusErrors(object: JsonObject): FieldError[] {
  const status = fieldsOf(object["status"]);
  return [
    ...(listOf(specOf(object)["accessModes"]).length === 0 ? [required("Spec.accessModes")] : []),
    ...entries(status["capacity"]).flatMap(([name, amount]) => amountErrors(amount, `status.capacity[${name}]`)),
    ...entries(status["allocatedResourceStatuses"]).flatMap(([name, state]) => stateErrors(name, state)),
    ...entries(status["allocatedResources"]).flatMap(([name, amount]) => allocationErrors(name, amount)),
  ];
}

function entries(map: JsonValue | undefined): [string, JsonValue][] {
  return Object.entries(fieldsOf(map)).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function amountErrors(value: JsonValue, path: string): FieldError[] {
  const whole = amountOf(value)?.value() ?? 0n;
  return whole < 0n ? [invalid(path, whole, "must be a valid resource quantity")] : [];
}

function stateErrors(name: string, state: JsonValue): FieldError[] {
  const path = "status.allocatedResourceStatuses";
  const known = resizeStates.includes(textOf(state));
  return [...nameErrors(name, path), ...(known ? [] : [notSupported(path, name, resizeStates)])];
}

function allocationErrors(name: string, amount: JsonValue): FieldError[] {
  const path = "status.allocatedResources";
  const ofName = nameErrors(name, path);
  return ofName.length > 0 ? ofName : amountErrors(amount, `${path}[${name}]`);
}

/** Names of Kubernetes' own resources have no prefix, or its; of those a claim has storage alone. */
function nameErrors(name: string, path: string): FieldError[] {
  const problems = qualifiedNameErrors(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  return isNative && name !== "storage" ? [notSupported(path, name, ["storage"])] : [];
}
