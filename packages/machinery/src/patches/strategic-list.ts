import { StowageError } from "../errors/stowage-error.ts";
import { goText } from "../go-text/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";
import type { FieldRule } from "./patch-rules.ts";
import { asWritten, patchMarker } from "./strategic-directives.ts";
import { arrange, positionsOf } from "./strategic-order.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";

/** Merges a patch into one item of a list. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** A list of the object and one of the patch, merged as the field's rule says. */
export function mergeLists(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  rule: FieldRule,
  mergeItem: MergeItem,
): JsonValue[] {
  if (!rule.merges) return patch.map(asWritten);
  if (isSet([current, patch], rule)) return mergeSets(current, patch);
  if (rule.mergeKey === undefined) throw invalid(rule, "it is a list of plain values, and objects were given");
  return mergeByKey(current as JsonObject[], patch as JsonObject[], rule, mergeItem);
}

/** What tells an item of a merged list from the others: its key, or for a plain value itself. */
export function keyIn(item: JsonValue, rule: FieldRule): JsonValue {
  if (rule.mergeKey === undefined && typeof item !== "object") return item;
  const key = rule.mergeKey === undefined || !isJsonObject(item) ? undefined : ownField(item, rule.mergeKey);
  if (key !== undefined) return key;
  const message = `The list ${rule.place.path} cannot be merged: an item has no ${rule.mergeKey ?? "key"} to tell it from the others`;
  throw new StrategicPatchError(
    "INVALID_PATCH",
    message,
    `map: ${goText(item)} does not contain declared merge key: ${rule.mergeKey ?? ""}`,
  );
}

/** Whether lists hold plain values rather than objects; a mixture is neither. */
export function isSet(lists: readonly (readonly JsonValue[])[], rule: FieldRule): boolean {
  const items = lists.flat();
  const types = new Set(items.map((item) => (item === null || Array.isArray(item) ? "neither" : typeof item)));
  if (types.size > 1 || types.has("neither")) {
    throw new StrategicPatchError(
      "INVALID_PATCH",
      `The list ${rule.place.path} cannot be merged: its items are not all objects, nor all plain values of one type`,
      Array.isArray(items[0])
        ? "lists of lists are not supported"
        : `list element types are not identical: ${goText(lists)}`,
    );
  }
  return !types.has("object");
}

function mergeSets(current: readonly JsonValue[], patch: readonly JsonValue[]): JsonValue[] {
  const both = [...new Set([...current, ...patch])];
  return arrange(both, { keyOf: (item) => item, wanted: positionsOf(patch), before: positionsOf(current) });
}

function mergeByKey(current: JsonObject[], patch: JsonObject[], rule: FieldRule, mergeItem: MergeItem): JsonValue[] {
  const keyOf = (item: JsonObject) => keyIn(item, rule);
  const changes = patch.filter((item) => !Object.hasOwn(item, patchMarker));
  const wanted = positionsOf(changes.map(keyOf));
  const directives = patch.filter((item) => Object.hasOwn(item, patchMarker));
  const deletions = directives.filter((item) => isDeletion(item, rule));
  if (deletions.length < directives.length) {
    // All that arranging does to a list on its own is to bring items of one key together.
    const items = changes.map((item) => asWritten(item) as JsonObject);
    return arrange(items, { keyOf, wanted, before: wanted });
  }

  const deleted = new Set(deletions.map(keyOf));
  const kept = current.filter((item) => !deleted.has(keyOf(item)));
  const before = positionsOf(kept.map(keyOf));
  return arrange(mergeChanges(kept, changes, keyOf, mergeItem), { keyOf, wanted, before });
}

/** Of items that share a key, as a Service's ports may, the first is the one that changes. */
function mergeChanges(
  kept: readonly JsonObject[],
  changes: readonly JsonObject[],
  keyOf: (item: JsonObject) => JsonValue,
  mergeItem: MergeItem,
): JsonObject[] {
  const merged = [...kept];
  const positions = new Map(positionsOf(kept.map(keyOf)));
  for (const change of changes) {
    const position = positions.get(keyOf(change));
    if (position === undefined) {
      positions.set(keyOf(change), merged.length);
      merged.push(asWritten(change) as JsonObject);
    } else {
      merged[position] = mergeItem(merged[position] as JsonObject, change);
    }
  }
  return merged;
}

/** The other directive that an item may carry replaces the whole list. */
function isDeletion(item: JsonObject, rule: FieldRule): boolean {
  const directive = item[patchMarker];
  if (directive === "delete" || directive === "replace") return directive === "delete";
  const message = `The list ${rule.place.path} cannot be merged: $patch is ${JSON.stringify(directive)}; of a list's item it is delete or replace`;
  throw new StrategicPatchError(
    "INVALID_PATCH",
    message,
    `unknown patch type: ${goText(directive ?? null)} in map: ${goText(item)}`,
  );
}

function invalid(rule: FieldRule, problem: string): StowageError {
  return new StowageError("INVALID_PATCH", `The list ${rule.place.path} cannot be merged: ${problem}`);
}
