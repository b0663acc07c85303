import type { StatedCondition } from "@stowage/operator";
import { allowsInstall, type CheckOutcome, type CheckResult } from "./check-result.ts";

/** Of the conditions: renaming it leaves the old ones behind. */
export const controllerName = "VMwareVSphereController";

/** For `Removed`: there is no driver, and that is as it should be. */
export const removedConditions: readonly StatedCondition[] = [
  { type: `${controllerName}Disabled`, status: "True", reason: "Removed", message: "Operator is disabled" },
];

const upgradeable = {
  pass: "True",
  blockUpgrade: "False",
  blockInstall: "False",
  upgradeUnknown: "Unknown",
  degrade: "False",
} as const;

/** What is said of a result. `isInstalled`: the driver is there, whatever the checks say by now. */
export function desiredCheckConditions(
  { status, message }: CheckResult,
  outcome: CheckOutcome,
  isInstalled: boolean,
): StatedCondition[] {
  const isDegraded = outcome === "degrade";
  const said = { reason: status, message };
  return [
    // Not `<controller>Degraded`: that one is about whether checks could be made at all.
    { type: "VMwareVSphereOperatorCheckDegraded", status: isDegraded ? "True" : "False", ...(isDegraded && said) },
    { type: `${controllerName}Upgradeable`, status: upgradeable[outcome], ...(outcome !== "pass" && said) },
    ...(allowsInstall(outcome) || isInstalled
      ? []
      : [{ type: `${controllerName}Disabled`, status: "True", ...said } as const]),
  ];
}
