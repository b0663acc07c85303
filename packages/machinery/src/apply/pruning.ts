import type { JsonObject } from "../patches/json-value.ts";
import { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managed-fields.ts";
import type { ManagedKind, TypedObject } from "./managed-kind.ts";
import { withNamedFields } from "./named-fields.ts";
import { typedAs } from "./ownership.ts";
import { withoutFields } from "./removal.ts";
import { fieldsOfValue } from "./value-fields.ts";

/**
 * Removes from a merged object what its applier had applied before, does not apply any more, and nobody else owns. `managers`
 * has the applier with what it applies now, `last` is what it owned before.
 */
export function pruned(
  kind: ManagedKind,
  merged: JsonObject,
  managers: Managers,
  last: Manager | undefined,
): JsonObject {
  if (last === undefined || last.set.isEmpty) return merged;
  const typed = typedAs(kind, merged, last.apiVersion);
  if (typed === undefined) return merged;
  const bare = without(typed, withNamedFields(last.set, typed.type));
  const owned = withOwnedFields({ kind, merged: typed.value as JsonObject, version: last.apiVersion }, bare, managers);
  const kept = withDanglingFields(typed, owned, last.set);
  return { ...kept, apiVersion: kind.apiVersion };
}

/** An object that is compared in one version after another. */
interface Versioned {
  readonly kind: ManagedKind;
  readonly merged: JsonObject;
  readonly version: string;
}

/** Puts back what is owned by anybody now, the applier included. */
function withOwnedFields({ kind, merged, version }: Versioned, bare: JsonObject, managers: Managers): JsonObject {
  const ownedIn = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    ownedIn.set(apiVersion, (ownedIn.get(apiVersion) ?? FieldSet.empty).union(set));
  }
  // The version in which fields were removed comes first: others may need what it puts back.
  const versions = [version, ...[...ownedIn.keys()].filter((other) => other !== version)];
  let result = bare;
  for (const apiVersion of versions) {
    const owned = ownedIn.get(apiVersion);
    const full = owned && typedAs(kind, merged, apiVersion);
    const current = full && typedAs(kind, result, apiVersion);
    if (owned === undefined || full === undefined || current === undefined) continue;
    const present = withNamedFields(fieldsOfValue(current.type, current.value), full.type);
    const kept = present.union(withNamedFields(owned, full.type));
    result = without(full, allFields(full).difference(kept));
  }
  return result;
}

/** Puts back what the applier never owned: what no manager is known of is not its to remove. */
function withDanglingFields(merged: TypedObject, result: JsonObject, last: FieldSet): JsonObject {
  const present = withNamedFields(fieldsOfValue(merged.type, result), merged.type);
  return without(merged, allFields(merged).difference(present).intersection(withNamedFields(last, merged.type)));
}

function allFields({ type, value }: TypedObject): FieldSet {
  return withNamedFields(fieldsOfValue(type, value), type);
}

function without({ type, value }: TypedObject, set: FieldSet): JsonObject {
  return (withoutFields(type, value, set) ?? {}) as JsonObject;
}
