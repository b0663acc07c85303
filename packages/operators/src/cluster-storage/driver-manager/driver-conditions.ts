import type { OperatorCondition } from "@stowage/machinery";
import { type StatedCondition, unionOf } from "@stowage/operator";

export interface DriverConditionsInput {
  readonly conditionPrefix: string;
  /** Of the ClusterCSIDriver, as its operator has written them. */
  readonly conditions: readonly OperatorCondition[];
  /** See `DriverOperatorEntry`. */
  readonly allowsDisabled: boolean;
}

/**
 * What the driver's operator says of itself, as `<prefix>CSIDriverOperatorCR{Available,Progressing,Degraded,Upgradeable}` of the
 * Storage. As long as it has said nothing, storage is neither available nor at rest.
 */
export function desiredDriverConditions(input: DriverConditionsInput): StatedCondition[] {
  const { conditionPrefix, conditions, allowsDisabled } = input;
  const disabled = allowsDisabled ? conditions.find(({ type }) => type.endsWith("Disabled")) : undefined;
  const unions = [
    disabled === undefined ? available(input) : disabledAs(disabled, conditionPrefix),
    progressing(input, disabled !== undefined),
    degraded(conditions),
    upgradeable(conditions),
  ];
  return unions.map((union) => ({ ...union, type: `${conditionPrefix}CSIDriverOperatorCR${union.type}` }));
}

function available({ conditionPrefix, conditions }: DriverConditionsInput): StatedCondition {
  const union = unite("Available", "True", conditions);
  return union.status === "Unknown" ? { ...union, status: "False", ...waiting(conditionPrefix) } : union;
}

/** There is nothing that the driver could be for: that is no trouble. */
function disabledAs({ message = "" }: OperatorCondition, conditionPrefix: string): StatedCondition {
  const what = `The CSI driver of ${conditionPrefix} is disabled: ${message}`;
  return { type: "Available", status: "True", reason: "DriverDisabled", message: what };
}

function progressing({ conditionPrefix, conditions }: DriverConditionsInput, isDisabled: boolean): StatedCondition {
  const union = unite("Progressing", "False", conditions);
  if (union.status !== "Unknown") return union;
  return isDisabled ? { ...union, status: "False" } : { ...union, status: "True", ...waiting(conditionPrefix) };
}

function degraded(conditions: readonly OperatorCondition[]): StatedCondition {
  const union = unite("Degraded", "False", conditions);
  return union.status === "Unknown" ? { ...union, status: "False" } : union;
}

/** A driver that does not mention it can be upgraded. */
function upgradeable(conditions: readonly OperatorCondition[]): StatedCondition {
  const type = "Upgradeable";
  return conditions.some((condition) => condition.type.endsWith(type))
    ? unite(type, "True", conditions)
    : { type, status: "True" };
}

/** Without inertia: that is for the ClusterOperator alone. */
function unite(type: string, goodStatus: "True" | "False", conditions: readonly OperatorCondition[]): StatedCondition {
  return unionOf({ type, goodStatus }, conditions, 0).condition;
}

function waiting(conditionPrefix: string) {
  return { reason: "WaitForOperator", message: `Waiting for ${conditionPrefix} operator to report status` };
}
