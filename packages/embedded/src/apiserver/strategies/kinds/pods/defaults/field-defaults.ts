import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, isFields } from "../../../json-fields.ts";
import { roundedAmounts } from "../../amounts.ts";

/** Fields that are not there, or are empty texts or zeros where that means the same, get the value of the table. */
export function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => isUnset(object[name]));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** What may be there and be empty all the same. */
export function withPointerDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => (object[name] ?? undefined) === undefined);
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "" || value === 0;
}

/** What is asked for and allowed is kept to a thousandth. */
export function resourceDefaults(resources: JsonObject): JsonObject {
  return changed(resources, { limits: roundedAmounts, requests: roundedAmounts });
}

export type Change = (object: JsonObject) => JsonObject;

/** The object with some of its fields changed, if they are there. */
export function changed(object: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const entries = Object.entries(changes).flatMap(([name, change]) => {
    const value = object[name];
    return isFields(value) ? [[name, change(value)] as const] : [];
  });
  return entries.length === 0 ? object : { ...object, ...Object.fromEntries(entries) };
}

/** The object with the items of some of its lists changed, if they are there. */
export function changedItems(object: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const entries = Object.entries(changes).flatMap(([name, change]) => {
    const value = object[name];
    return Array.isArray(value) ? [[name, value.map((item) => change(fieldsOf(item)))] as const] : [];
  });
  return entries.length === 0 ? object : { ...object, ...Object.fromEntries(entries) };
}
