import type { OperatorResource } from "./operator-resource.ts";

/** What an operator lets its administrator choose. */
export interface ManagementPolicy {
  /** False: the operator must always work, `Unmanaged` or not. */
  readonly allowsUnmanaged: boolean;
  /** False: the operand cannot be taken away; `Removed` is then a mistake, and nothing is done. */
  readonly allowsRemoved: boolean;
  /** False: deleting the resource takes nothing along, since somebody makes it anew. As `allowsRemoved` when left out. */
  readonly allowsDeletion?: boolean;
  /**
   * A finalizer that is on the resource before anything is made. As long as it is there, what was made is kept, whatever the
   * administrator wants: something still uses it.
   */
  readonly holdFinalizer?: string;
}

export const defaultManagementPolicy: ManagementPolicy = { allowsUnmanaged: true, allowsRemoved: true };

/** `sync`: bring about what should be. `remove`: take the operand away. `leave`: touch nothing. */
export type ManagementMode = "sync" | "remove" | "leave";

/** A state that is empty or unknown counts as `Managed`. A resource that is being deleted takes its operand along. */
export function managementModeOf(operator: OperatorResource, policy: ManagementPolicy): ManagementMode {
  const wanted = wantedModeOf(operator, policy);
  return wanted === "remove" && isHeld(operator, policy) ? "sync" : wanted;
}

/** What the administrator wants, held or not. */
export function wantedModeOf(operator: OperatorResource, policy: ManagementPolicy): ManagementMode {
  const { allowsUnmanaged, allowsRemoved, allowsDeletion = allowsRemoved } = policy;
  const state = operator.spec?.managementState;
  if (state === "Unmanaged" && allowsUnmanaged) return "leave";
  if (operator.metadata.deletionTimestamp !== undefined) return allowsDeletion ? "remove" : "leave";
  if (state === "Removed") return allowsRemoved ? "remove" : "leave";
  return "sync";
}

function isHeld({ metadata }: OperatorResource, { holdFinalizer }: ManagementPolicy): boolean {
  return holdFinalizer !== undefined && (metadata.finalizers ?? []).includes(holdFinalizer);
}
