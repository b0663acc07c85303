import { isDeepStrictEqual } from "node:util";
import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionCondition,
  type CustomResourceDefinitionNames,
  type CustomResourceDefinitionStatus,
  formatTime,
} from "@stowage/machinery";
import { desiredEstablished, desiredNames } from "@stowage/machinery/structural";
import { approvalCondition } from "./group-approval.ts";

export type Condition = Omit<CustomResourceDefinitionCondition, "lastTransitionTime">;

/** Set when a definition is deleted: its objects go before it. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export function conditionOf(definition: CustomResourceDefinition, type: string): Condition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}

/** The conditions of a definition with one more, or another in the place of the one of its type. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  condition: Condition,
  nowMs: number,
): CustomResourceDefinitionCondition[] {
  const old = conditions.find(({ type }) => type === condition.type);
  const isNew = old === undefined || old.status !== condition.status || old.lastTransitionTime === undefined;
  const lastTransitionTime = isNew ? formatTime(nowMs) : old.lastTransitionTime;
  const { type, status, reason, message } = condition;
  const next: CustomResourceDefinitionCondition = {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? formatTime(nowMs),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
  return old === undefined ? [...conditions, next] : conditions.map((each) => (each === old ? next : each));
}

/**
 * The next status that a definition should have, given the others; undefined when it is as it should be. One thing at a time, as the
 * real server does it: first the names are accepted or not, then it is established, then its group is looked at.
 */
export function desiredStatus(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  nowMs: number,
): CustomResourceDefinitionStatus | undefined {
  const conditions = definition.status?.conditions ?? [];
  const named = desiredNaming(definition, others, nowMs);
  if (named !== undefined) return { ...definition.status, ...named };
  if (isTrue(definition, "NamesAccepted") && !isTrue(definition, "Established")) {
    return withConditions(definition, withCondition(conditions, desiredEstablished, nowMs));
  }
  const approval = approvalCondition(definition);
  if (approval === undefined || isSame(approval, conditionOf(definition, approval.type))) return undefined;
  return withConditions(definition, withCondition(conditions, approval, nowMs));
}

export function withConditions(
  { status }: CustomResourceDefinition,
  conditions: CustomResourceDefinitionCondition[],
): CustomResourceDefinitionStatus {
  return { ...status, conditions };
}

function desiredNaming(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  nowMs: number,
): CustomResourceDefinitionStatus | undefined {
  const accepted = definition.status?.acceptedNames;
  if (isDeepStrictEqual(comparable(definition.spec.names), comparable(accepted))) return undefined;
  const decision = desiredNames(definition, others);
  const [names] = decision.conditions;
  const isKnown = names !== undefined && isSame(names, conditionOf(definition, "NamesAccepted"));
  if (isKnown && isDeepStrictEqual(comparable(decision.acceptedNames), comparable(accepted))) return undefined;
  const before = definition.status?.conditions ?? [];
  const conditions = decision.conditions.reduce((all, condition) => withCondition(all, condition, nowMs), [...before]);
  return { acceptedNames: decision.acceptedNames, conditions };
}

/** An empty list of names is the same as none. */
function comparable(names: CustomResourceDefinitionNames | undefined) {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names ?? {};
  return { plural, singular, kind, listKind, shortNames, categories };
}

function isSame(a: Condition, b: Condition | undefined): boolean {
  return a.status === b?.status && a.reason === b.reason && a.message === b.message;
}
