import { isDeepStrictEqual } from "node:util";
import {
  type ClusterOperatorStatus,
  type OperandVersion,
  type OperatorCondition,
  type RelatedObject,
  setCondition,
} from "@stowage/machinery";
import type { StatedCondition } from "../operator-client/index.ts";
import { unionOf, unionRules } from "./condition-union.ts";

export interface ClusterOperatorInput {
  readonly existing: ClusterOperatorStatus | undefined;
  /** Of the operator's own resource. */
  readonly conditions: readonly OperatorCondition[];
  readonly isUnmanaged: boolean;
  /** By name of the operand; all that there are. */
  readonly versions: Readonly<Record<string, string>>;
  readonly staticObjects: readonly RelatedObject[];
  /** Undefined: not known yet, as after a start. */
  readonly relatedObjects: readonly RelatedObject[] | undefined;
  readonly nowMs: number;
}

export interface DesiredClusterOperator {
  readonly status: ClusterOperatorStatus;
  /** When a condition that does not count yet begins to. */
  readonly dueMs: number | undefined;
}

export function desiredClusterOperator(input: ClusterOperatorInput): DesiredClusterOperator {
  const { existing = {}, nowMs } = input;
  if (input.isUnmanaged) {
    const stated = unionRules.map(({ type }) => ({ type, status: "Unknown", reason: "Unmanaged" }) as const);
    return { status: { ...existing, conditions: withConditions(existing, stated, nowMs) }, dueMs: undefined };
  }
  const unions = unionRules.map((rule) => unionOf(rule, input.conditions, nowMs));
  const stated = unions.map(({ condition }) => condition);
  const dueTimes = unions.flatMap(({ dueMs }) => (dueMs === undefined ? [] : [dueMs]));
  const status = {
    ...existing,
    conditions: withConditions(existing, stated, nowMs),
    versions: desiredVersions(existing.versions ?? [], input.versions),
    relatedObjects: desiredRelatedObjects(existing.relatedObjects ?? [], input),
  };
  return { status, dueMs: dueTimes.length === 0 ? undefined : Math.min(...dueTimes) };
}

function withConditions(
  { conditions = [] }: ClusterOperatorStatus,
  stated: readonly StatedCondition[],
  nowMs: number,
): OperatorCondition[] {
  return stated.reduce<OperatorCondition[]>((list, condition) => setCondition(list, condition, nowMs), conditions);
}

/** In the order that they have; those that are no longer told go. */
function desiredVersions(
  existing: readonly OperandVersion[],
  told: Readonly<Record<string, string>>,
): OperandVersion[] {
  const names = [...existing.map(({ name }) => name).filter((name) => name in told), ...Object.keys(told)];
  return [...new Set(names)].map((name) => ({ name, version: told[name] ?? "" }));
}

/** Those of old stay until it is known which there are; those that are always there come last. */
function desiredRelatedObjects(
  existing: readonly RelatedObject[],
  { relatedObjects = existing, staticObjects }: ClusterOperatorInput,
): RelatedObject[] {
  return [...relatedObjects, ...staticObjects].filter(
    (object, index, all) => all.findIndex((each) => isDeepStrictEqual(each, object)) === index,
  );
}
