import type { FigureTable } from "@stowage/operator";
import type { CheckOutcome, CheckResult, CheckStatus } from "../checks/check-result.ts";

/** What an error means for the cluster. Alerts look for these words. */
export type ErrorCondition =
  | "degraded"
  | "upgrade_unknown"
  | "upgrade_blocked"
  | "install_blocked"
  | "storage_class_sync_failed";

export interface DriverError {
  readonly reason: CheckStatus;
  readonly condition: ErrorCondition;
}

/** Of the checks, and of what the class needs in vCenter: whoever says something replaces what they said before. */
export type ErrorSource = "checks" | "policies";

const conditionsOf: Readonly<Record<CheckOutcome, readonly ErrorCondition[]>> = {
  pass: [],
  blockUpgrade: ["upgrade_blocked"],
  blockInstall: ["install_blocked", "upgrade_blocked"],
  upgradeUnknown: ["upgrade_unknown"],
  degrade: ["degraded"],
};

export function checkErrors({ status: reason }: Pick<CheckResult, "status">, outcome: CheckOutcome): DriverError[] {
  return conditionsOf[outcome].map((condition) => ({ reason, condition }));
}

/**
 * `vsphere_csi_driver_error`: what is wrong by now. The original keeps what was wrong before until everything is well, and its alerts
 * with it.
 */
export class DriverErrors {
  readonly #said = new Map<ErrorSource, readonly DriverError[]>();
  readonly figure: FigureTable = {
    name: "vsphere_csi_driver_error",
    help: "vSphere driver installation error",
    labels: ["failure_reason", "condition"],
    rows: () =>
      [...this.#said.values()]
        .flat()
        .map(({ reason, condition }) => ({ labels: { failure_reason: reason, condition }, value: 1 })),
  };

  say(source: ErrorSource, errors: readonly DriverError[]): void {
    this.#said.set(source, errors);
  }
}
