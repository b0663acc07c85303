import { StowageError } from "../errors/stowage-error.ts";
import type { JsonObject } from "../patches/json-value.ts";
import { type Comparison, compareObjects, filtered } from "./comparison.ts";
import { ApplyConflictError, conflictsOf } from "./conflicts.ts";
import { FieldSet } from "./field-set.ts";
import { type Manager, type ManagerIdentity, type Managers, managerId } from "./managed-fields.ts";
import { convertedTo, type ManagedKind, neverOwnedPaths, type TypedObject } from "./managed-kind.ts";
import { reconciledWithSchema } from "./schema-changes.ts";

export interface Change {
  readonly kind: ManagedKind;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Who makes it; its own fields are no conflict. */
  readonly self?: ManagerIdentity;
}

export interface Transfer {
  /** Without those that nothing is left of. */
  readonly managers: Managers;
  /** In the version of the change, without what it cannot change. */
  readonly comparison: Comparison;
}

/**
 * Takes what a change touches from everybody else: what it sets and what it removes. Unless that is forced, somebody else's
 * field is a conflict when it is set to another value; removing it is none.
 */
export function transferOwnership(change: Change, managers: Managers, force: boolean): Transfer {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, comparisonOf(change, apiVersion));
    return comparisons.get(apiVersion);
  };
  const comparison = comparisonIn(change.kind.apiVersion);
  if (comparison === undefined) throw unserved(change.kind);

  const selfId = change.self && managerId(change.self);
  const conflicts = new Map<Manager, FieldSet>();
  const left = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const theirs = id === selfId ? undefined : comparisonIn(manager.apiVersion);
    if (theirs !== undefined) {
      const taken = manager.set.intersection(theirs.modified.union(theirs.added));
      if (!taken.isEmpty) conflicts.set(manager, taken);
      left.set(id, { ...manager, set: manager.set.difference(taken).difference(theirs.removed) });
    } else if (id === selfId) left.set(id, manager);
  }
  if (!force && conflicts.size > 0) throw new ApplyConflictError(conflictsOf(conflicts));
  return { managers: new Map([...left].filter(([, { set }]) => !set.isEmpty)), comparison };
}

function comparisonOf({ kind, before, after }: Change, apiVersion: string): Comparison | undefined {
  const from = convertedTo(kind, before, apiVersion);
  const to = from && convertedTo(kind, after, apiVersion);
  if (from === undefined || to === undefined) return undefined;
  if (typeof from === "string") throw invalid(`failed to convert old object: ${from}`);
  if (typeof to === "string") throw invalid(`failed to convert new object: ${to}`);
  return filtered(compareObjects(from.type, from.value, to.value), kind.filterOf(apiVersion));
}

/** Managers of versions that are no longer served are forgotten. */
export function reconciledManagers(kind: ManagedKind, live: JsonObject, managers: Managers): Managers {
  const reconciled = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const converted = convertedTo(kind, live, manager.apiVersion);
    if (converted === undefined) continue;
    if (typeof converted === "string") throw invalid(converted);
    reconciled.set(id, { ...manager, set: reconciledWithSchema(converted.type, manager.set) });
  }
  return reconciled;
}

/** Without what a write through this resource cannot change. */
export function changeable(kind: ManagedKind, set: FieldSet): FieldSet {
  return kind.filterOf(kind.apiVersion)?.(set) ?? set;
}

/** Without what belongs to nobody; undefined when nothing is left. */
export function stripped(manager: Manager): Manager | undefined {
  const set = manager.set.difference(strippedFields);
  return set.isEmpty ? undefined : { ...manager, set };
}

const strippedFields = FieldSet.of(...neverOwnedPaths);

/** The object in another version; undefined when that is not served. */
export function typedAs(kind: ManagedKind, value: JsonObject, apiVersion: string): TypedObject | undefined {
  const converted = convertedTo(kind, value, apiVersion);
  if (typeof converted === "string") throw invalid(converted);
  return converted;
}

export function invalid(message: string): StowageError {
  return new StowageError("APPLY_INVALID_OBJECT", message);
}

export function unserved({ apiVersion, kind }: ManagedKind): StowageError {
  return invalid(`no corresponding type for ${apiVersion}, Kind=${kind}`);
}
