import type { CustomResourceDefinition } from "@stowage/machinery";
import { type Condition, cleanupFinalizer, conditionOf, isTrue } from "./definition-conditions.ts";

/**
 * What comes next for a definition that is being deleted: it is told that its objects go (`begin`), they are deleted and waited for
 * (`delete`), and it lets go of itself (`finish`). `nothing` where its objects are not this controller's to delete.
 */
export type CleanupStep =
  | { readonly step: "nothing" }
  | { readonly step: "delete" }
  | { readonly step: "begin" | "finish"; readonly condition: Condition };

const beginning: Condition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};

const completed: Condition = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};

const neverServed: Condition = {
  type: "Terminating",
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};

export function desiredCleanup(definition: CustomResourceDefinition, hasObjects: boolean): CleanupStep {
  const { deletionTimestamp, finalizers = [] } = definition.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(cleanupFinalizer)) return { step: "nothing" };
  const hasBegun = conditionOf(definition, "Terminating")?.reason === beginning.reason;
  if (!hasBegun) return { step: "begin", condition: beginning };
  if (!isTrue(definition, "Established")) return { step: "finish", condition: neverServed };
  return hasObjects ? { step: "delete" } : { step: "finish", condition: completed };
}
