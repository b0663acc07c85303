/**
 * Which drivers there are and when their operators start: `driver-operator-entry.ts` is what has to be said of one,
 * `driver-operator-table.ts` says it of each, `start-decision.ts` compares it with the cluster, `driver-assets.ts` reads its files.
 */
export { type DriverOperatorAssets, driverOperatorAssets } from "./driver-assets.ts";
export type { DriverOperatorEntry } from "./driver-operator-entry.ts";
export { driverOperators } from "./driver-operator-table.ts";
export { startDecision } from "./start-decision.ts";
