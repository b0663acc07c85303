import { type OperatorController, operatorController } from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";
import type { DriverDeps } from "./driver-deps.ts";

/**
 * Says in the log, once each time, that there is nothing to do: without its ClusterCSIDriver an operator neither acts nor has a place
 * to say so. Watches: the operator's resource. Writes conditions: none.
 */
export function presenceController(
  deps: DriverDeps,
  { conditionPrefix, driverName }: DriverProfile,
): OperatorController {
  let isTold = false;
  return operatorController(deps, {
    name: `${conditionPrefix}DriverPresenceController`,
    reportsDegraded: false,
    ignoresManagementState: true,
    sync: async () => void (isTold = false),
    async syncWithout() {
      if (!isTold) deps.logger.info({ clusterCSIDriver: driverName }, "waiting for the ClusterCSIDriver to be created");
      isTold = true;
    },
  });
}
