/** What every resource of operator.openshift.io has in common. */

/**
 * `Managed`: the operator keeps its operand as it should be. `Unmanaged`: it keeps its hands off. `Removed`: it takes the operand
 * away. `Force` is of old, and no operator of ours acts on it.
 */
export type ManagementState = (typeof managementStates)[number];

export const managementStates = ["Managed", "Unmanaged", "Removed", "Force"] as const;

/** Empty is as good as `Normal`. */
export type LogLevel = (typeof logLevels)[number];

export const logLevels = ["", "Normal", "Debug", "Trace", "TraceAll"] as const;

export interface OperatorSpec {
  managementState?: ManagementState;
  /** Of the operand. */
  logLevel?: LogLevel;
  /** Of the operator itself. */
  operatorLogLevel?: LogLevel;
  /** Laid over the configuration that the operator works out; whoever sets it is on their own, and cannot upgrade. */
  unsupportedConfigOverrides?: Record<string, unknown> | null;
  /** What the operator saw elsewhere in the cluster, such as the proxy; written by the operator though it is in the spec. */
  observedConfig?: Record<string, unknown> | null;
}

export interface OperatorStatus {
  /** The generation of the spec that the rest of the status is about. */
  observedGeneration?: number;
  /** By type, each written by the one controller that has it. */
  conditions?: OperatorCondition[];
  version?: string;
  readyReplicas?: number;
  /** Never goes down. */
  latestAvailableRevision?: number;
  /** By group, resource, namespace and name. */
  generations?: GenerationStatus[];
}

export type ConditionStatus = (typeof conditionStatuses)[number];

export const conditionStatuses = ["True", "False", "Unknown"] as const;

export interface OperatorCondition {
  type: string;
  status: ConditionStatus;
  lastTransitionTime: string;
  reason?: string;
  message?: string;
}

/** The generation that an object had when the operator last wrote it: another one says that somebody else did since. */
export interface GenerationStatus {
  group: string;
  resource: string;
  /** Empty for what has none. */
  namespace: string;
  name: string;
  lastGeneration?: number;
  /** For what has no generation, such as a Secret. */
  hash?: string;
}
