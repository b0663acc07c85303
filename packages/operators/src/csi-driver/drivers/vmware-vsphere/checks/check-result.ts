/** In the order of severity. `BlockUpgradeOrDegrade`: degrades where the driver is installed, and blocks upgrades elsewhere. */
export const checkActions = [
  "Pass",
  "BlockUpgrade",
  "BlockUpgradeDriverInstall",
  "BlockUpgradeOrDegrade",
  "Degrade",
] as const;

export type CheckAction = (typeof checkActions)[number];

/** As conditions and metrics have them: alerts look for these words. */
export type CheckStatus =
  | "pass"
  | "vsphere_connection_failed"
  | "openshift_api_error"
  | "existing_driver_found"
  | "check_deprecated_vcenter"
  | "check_deprecated_hw_version"
  | "check_deprecated_esxi_version"
  | "vcenter_api_error"
  | "block_volume_limit_error"
  | "non_vsphere_node";

export interface CheckResult {
  readonly action: CheckAction;
  readonly status: CheckStatus;
  /** For people; empty when it passes. */
  readonly message: string;
}

export const passed: CheckResult = { action: "Pass", status: "pass", message: "" };

/** The gravest; of several that are alike the last, as the original has it. */
export function gravest(results: readonly CheckResult[]): CheckResult {
  const severity = ({ action }: CheckResult) => checkActions.indexOf(action);
  return results.reduce((worst, each) => (severity(each) >= severity(worst) ? each : worst), passed);
}

/** What becomes of the driver and of upgrades. */
export type CheckOutcome = "pass" | "blockUpgrade" | "blockInstall" | "upgradeUnknown" | "degrade";

export function outcomeOf({ action, status }: CheckResult, isInstalled: boolean): CheckOutcome {
  switch (action) {
    case "Pass":
      return "pass";
    case "BlockUpgrade":
      return "blockUpgrade";
    case "BlockUpgradeDriverInstall":
      return "blockInstall";
    case "Degrade":
      return "degrade";
    case "BlockUpgradeOrDegrade":
      if (isInstalled) return "degrade";
      // Nobody could ask: what there is may well be good enough.
      return status === "vsphere_connection_failed" ? "upgradeUnknown" : "blockUpgrade";
  }
}

/** Whether the driver may be installed; one that is stays. */
export function allowsInstall(outcome: CheckOutcome): boolean {
  return outcome === "pass" || outcome === "blockUpgrade";
}
