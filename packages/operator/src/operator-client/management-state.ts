import type { OperatorResource } from "./operator-resource.ts";

/** What an operator lets its administrator choose. */
export interface ManagementPolicy {
  /** False: the operator must always work, `Unmanaged` or not. */
  readonly allowsUnmanaged: boolean;
  /** False: the operand cannot be taken away; `Removed` is then a mistake, and nothing is done. */
  readonly allowsRemoved: boolean;
}

export const defaultManagementPolicy: ManagementPolicy = { allowsUnmanaged: true, allowsRemoved: true };

/** `sync`: bring about what should be. `remove`: take the operand away. `leave`: touch nothing. */
export type ManagementMode = "sync" | "remove" | "leave";

/** A state that is empty or unknown counts as `Managed`. A resource that is being deleted takes its operand along. */
export function managementModeOf(operator: OperatorResource, policy: ManagementPolicy): ManagementMode {
  const state = operator.spec?.managementState;
  if (state === "Unmanaged" && policy.allowsUnmanaged) return "leave";
  if (operator.metadata.deletionTimestamp !== undefined) return policy.allowsRemoved ? "remove" : "leave";
  if (state === "Removed") return policy.allowsRemoved ? "remove" : "leave";
  return "sync";
}
