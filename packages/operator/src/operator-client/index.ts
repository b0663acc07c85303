/**
 * An operator's own resource (`Storage`, `ClusterCSIDriver`). In reading order: `operator-client.ts` (read, report, finalizers),
 * `operator-status.ts` (what is sent as status), `generations.ts` (what was last written of a workload), `management-state.ts` and
 * `log-level.ts` (what its spec means), `operator-events.ts` (events about it).
 */
export { generationStatus, lastGenerationOf } from "./generations.ts";
export { isLogLevel, logVerbosity } from "./log-level.ts";
export {
  defaultManagementPolicy,
  type ManagementMode,
  type ManagementPolicy,
  managementModeOf,
  wantedModeOf,
} from "./management-state.ts";
export {
  createOperatorClient,
  type OperatorClient,
  type OperatorClientDeps,
  operatorFinalizer,
} from "./operator-client.ts";
export { type OperatorEvents, operatorEvents } from "./operator-events.ts";
export type { OperatorResource } from "./operator-resource.ts";
export type { StatedCondition, StatedStatus } from "./operator-status.ts";
