import type { KubernetesObject } from "../api/resource-type.ts";
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";
import { type FieldRule, type Place, rootOf, ruleOf } from "./patch-rules.ts";
import { deletionPrefix, orderPrefix, patchMarker, retainKeysMarker } from "./strategic-directives.ts";
import { isSet, keyIn } from "./strategic-list.ts";

/** The strategic merge patch that turns one object into another of the same kind, neither of which holds null. */
export function createStrategicMergePatch<T extends KubernetesObject>(from: T, to: T): object {
  return diffObjects(from as unknown as JsonObject, to as unknown as JsonObject, rootOf(from), false);
}

type Entry = [string, JsonValue];

function diffObjects(from: JsonObject, to: JsonObject, place: Place, retainsKeys: boolean): JsonObject {
  const removed = Object.keys(from)
    .filter((name) => !Object.hasOwn(to, name))
    .map((name): Entry => [name, null]);
  const changed = Object.entries(to).flatMap(([name, value]) =>
    diffField(ownField(from, name), value, name, ruleOf(place, name)),
  );
  const patch = [...changed, ...removed];
  const retained = retainsKeys && patch.length > 0 ? Object.keys(to).toSorted() : [];
  return Object.fromEntries([...patch, ...entryUnlessEmpty(retainKeysMarker, retained)]);
}

function diffField(before: JsonValue | undefined, value: JsonValue, name: string, rule: FieldRule): Entry[] {
  if (equalJson(before, value)) return [];
  if (isJsonObject(before) && isJsonObject(value) && !rule.replaces) {
    return [[name, diffObjects(before, value, rule.place, rule.retainsKeys)]];
  }
  if (!Array.isArray(before) || !Array.isArray(value) || !rule.merges || before.length === 0) return [[name, value]];
  return isSet([before, value], rule) ? diffSets(before, value, name) : diffByKey(before, value, name, rule);
}

function diffSets(from: readonly JsonValue[], to: JsonValue[], name: string): Entry[] {
  return [
    ...entryUnlessEmpty(
      name,
      to.filter((item) => !from.includes(item)),
    ),
    ...entryUnlessEmpty(
      `${deletionPrefix}/${name}`,
      from.filter((item) => !to.includes(item)),
    ),
    ...entryUnlessEmpty(`${orderPrefix}/${name}`, to),
  ];
}

function diffByKey(from: JsonValue[], to: JsonValue[], name: string, rule: FieldRule): Entry[] {
  const before = new Map(from.map((item) => [keyIn(item, rule), item as JsonObject]));
  const after = new Map(to.map((item) => [keyIn(item, rule), item as JsonObject]));
  // Items that share a key, as a Service's ports may, cannot be told apart: only the whole list can be said. The server then
  // puts those of one key together, so that their order may differ from the one asked for.
  if (before.size < from.length || after.size < to.length) return [[name, [{ [patchMarker]: "replace" }, ...to]]];
  const key = rule.mergeKey ?? "";
  const changed = [...after].flatMap(([value, item]) => diffItem(before.get(value), item, key, rule));
  const deleted = [...before.keys()]
    .filter((value) => !after.has(value))
    .map((value): JsonObject => ({ [key]: value, [patchMarker]: "delete" }));
  return [
    ...entryUnlessEmpty(
      `${orderPrefix}/${name}`,
      [...after.keys()].map((value): JsonObject => ({ [key]: value })),
    ),
    ...entryUnlessEmpty(name, [...changed, ...deleted]),
  ];
}

function diffItem(before: JsonObject | undefined, item: JsonObject, key: string, rule: FieldRule): JsonObject[] {
  if (before === undefined) return [item];
  const patch = diffObjects(before, item, rule.place, rule.retainsKeys);
  return Object.keys(patch).length === 0 ? [] : [{ ...patch, [key]: item[key] as JsonValue }];
}

function entryUnlessEmpty(name: string, list: JsonValue[]): Entry[] {
  return list.length === 0 ? [] : [[name, list]];
}
