import type { KubernetesObject } from "../api/resource-type.ts";
import { StowageError } from "../errors/stowage-error.ts";
import { goText } from "../go-text/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";
import { type FieldRule, type Place, rootOf, ruleOf } from "./patch-rules.ts";
import {
  asAdded,
  asWritten,
  deletionPrefix,
  isDirective,
  orderPrefix,
  patchMarker,
  retainKeysMarker,
  withoutDirectives,
} from "./strategic-directives.ts";
import { mergeLists } from "./strategic-list.ts";
import { arrangeAsAsked, checkOrder, listNamedBy, rememberedPlaces } from "./strategic-parallel-lists.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";

/**
 * Applies a strategic merge patch as the Kubernetes API server does, and leaves its inputs alone; the result may share parts
 * with them. The object's apiVersion and kind say which lists are merged, and by which key.
 */
export function applyStrategicMergePatch<T extends KubernetesObject>(object: T, patch: object): T {
  return withoutDirectives(mergeAsServer(object, patch)) as unknown as T;
}

/** With the directives that nobody obeyed in it: the server finds them to be fields that it does not know. */
export function mergeAsServer(object: KubernetesObject, patch: object): JsonObject {
  const root = rootOf(object);
  if (!isJsonObject(patch)) throw new StowageError("MALFORMED_PATCH", "A strategic merge patch is an object");
  return mergeObjects(object as unknown as JsonObject, patch, root);
}

type Fields = Map<string, JsonValue>;

function mergeObjects(current: JsonObject, patch: JsonObject, place: Place): JsonObject {
  if (Object.hasOwn(patch, patchMarker)) return obey(patch, place);
  const fields: Fields = new Map(Object.entries(current));
  retainKeys(fields, patch, place);
  const ordered = mergeOrderedLists(fields, patch, place);
  deleteFromLists(fields, patch, place);
  for (const [name, value] of Object.entries(patch)) {
    if (!isDirective(name) && !ordered.has(name)) mergeField(fields, name, value, ruleOf(place, name));
  }
  return Object.fromEntries(fields);
}

/** `$patch` on an object is about all of it. */
function obey(patch: JsonObject, place: Place): JsonObject {
  if (patch[patchMarker] === "delete") return {};
  if (patch[patchMarker] === "replace") {
    const { [patchMarker]: _, ...rest } = patch;
    return asWritten(rest) as JsonObject;
  }
  const directive = patch[patchMarker] ?? null;
  const message = `$patch${at(place)} is ${JSON.stringify(directive)}; of an object it is delete or replace`;
  throw new StrategicPatchError(
    "INVALID_PATCH",
    message,
    `unknown patch type: ${goText(directive)} in map: ${goText(patch)}`,
  );
}

/** `$retainKeys` names every field that stays, so that one way of saying a thing makes room for another. */
function retainKeys(fields: Fields, patch: JsonObject, place: Place): void {
  if (!Object.hasOwn(patch, retainKeysMarker)) return;
  const retained = patch[retainKeysMarker];
  if (!Array.isArray(retained)) throw malformed("retainKeys", `${retainKeysMarker}${at(place)} is not a list`);
  const names = new Set(retained);
  const stray = Object.entries(patch).find(([name, value]) => value !== null && !isDirective(name) && !names.has(name));
  if (stray !== undefined)
    throw malformed("retainKeys", `${stray[0]} is set but not listed in ${retainKeysMarker}${at(place)}`);
  for (const name of fields.keys()) if (!names.has(name)) fields.delete(name);
}

/** `$setElementOrder/x` goes with a list x: both are dealt with here. Returns the names of these lists. */
function mergeOrderedLists(fields: Fields, patch: JsonObject, place: Place): Set<string> {
  const ordered = new Set<string>();
  for (const [directive, order] of Object.entries(patch)) {
    if (directive.startsWith(orderPrefix) && !Array.isArray(order)) {
      throw notAList(
        "MALFORMED_PATCH",
        `The strategic merge patch is malformed: ${directive}${at(place)} is not a list`,
        order,
      );
    }
    const name = listNamedBy(directive, orderPrefix);
    if (name === undefined || !Array.isArray(order)) continue;
    const rule = ruleOf(place, name);
    const current = listOrNothing(fields.get(name), rule);
    const change = listOrNothing(ownField(patch, name), rule);
    checkOrder(change ?? [], order, rule);
    ordered.add(name);
    const merged = current && change ? merge(current, change, rule) : (current ?? (change && asAdded(change)));
    if (merged === undefined) continue;
    const places = rememberedPlaces(current ?? [], change ?? [], rule);
    fields.set(name, arrangeAsAsked(merged as JsonValue[], order, places, rule));
  }
  return ordered;
}

function deleteFromLists(fields: Fields, patch: JsonObject, place: Place): void {
  for (const [directive, deleted] of Object.entries(patch)) {
    const name = listNamedBy(directive, deletionPrefix);
    if (name === undefined) continue;
    const current = fields.get(name);
    if (deleted === null) fields.delete(name);
    if (!Array.isArray(deleted) || !Array.isArray(current)) continue;
    if (current.some(isJsonObject))
      throw malformed("primitive list", `${directive}${at(place)} is about a list of objects`);
    const gone = new Set(deleted);
    fields.set(
      name,
      current.filter((item) => !gone.has(item)),
    );
  }
}

function mergeField(fields: Fields, name: string, value: JsonValue, rule: FieldRule): void {
  const current = fields.get(name);
  const merged = value === null ? undefined : mergeValues(current, value, rule);
  if (merged === undefined) fields.delete(name);
  else fields.set(name, merged);
}

function mergeValues(current: JsonValue | undefined, value: JsonValue, rule: FieldRule): JsonValue | undefined {
  if (isJsonObject(current) && isJsonObject(value)) {
    return rule.replaces ? asWritten(value) : mergeObjects(current, value, rule.place);
  }
  return Array.isArray(current) && Array.isArray(value) ? merge(current, value, rule) : asAdded(value);
}

function merge(current: JsonValue[], change: JsonValue[], rule: FieldRule): JsonValue[] {
  return mergeLists(current, change, rule, (item, patch) => mergeObjects(item, patch, rule.place));
}

function listOrNothing(value: JsonValue | undefined, rule: FieldRule): JsonValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw notAList("INVALID_PATCH", `The patch orders ${rule.place.path}, which is not a list`, value);
}

function notAList(code: "INVALID_PATCH" | "MALFORMED_PATCH", message: string, value: JsonValue): StowageError {
  return new StrategicPatchError(code, message, `expected a []interface {}, but received a ${goType(value)}`, true);
}

/** Of what is no list. */
function goType(value: JsonValue): string {
  if (value === null) return "%!s(<nil>)";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : typeof value === "string" ? "string" : "map[string]interface {}";
}

function malformed(part: string, problem: string): StowageError {
  const message = `The strategic merge patch is malformed: ${problem}`;
  return new StrategicPatchError("MALFORMED_PATCH", message, `invalid patch format of ${part}`);
}

function at(place: Place): string {
  return place.path === "" ? "" : ` of ${place.path}`;
}
