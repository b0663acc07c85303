/**
 * Which drivers there are and when their operators start: `driver-operator-entry.ts` is what has to be said of one,
 * `driver-operator-table.ts` says it of each, `start-decision.ts` compares it with the cluster, `driver-assets.ts` reads its files:
 * those beside a hosted control plane are others (`hosted-assets.ts`), with more variables (`hosted-variables.ts`).
 */
export { type DriverOperatorAssets, driverOperatorAssets, hostedOperatorAssets } from "./driver-assets.ts";
export type { DriverOperatorEntry } from "./driver-operator-entry.ts";
export { driverOperators } from "./driver-operator-table.ts";
export { runsHosted } from "./hosted-assets.ts";
export { controlPlaneImageOf, driverControlPlaneImage, hostedHandsOn } from "./hosted-variables.ts";
export { startDecision } from "./start-decision.ts";
