import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import type { StoredObject, Transaction } from "../../store/index.ts";
import type { Strategy } from "../../strategies/index.ts";
import { isFields, sameJson, withMetadata } from "../../strategies/index.ts";

/** As the request sees it: in its version, with the defaults that the kind has now. */
export function liveObject(strategy: Strategy, { text }: StoredObject): JsonObject {
  const stored = JSON.parse(text) as JsonObject;
  const { group, version } = strategy;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return strategy.isCustom ? strategy.read({ ...stored, apiVersion }).object : stored;
}

/**
 * As it is kept and sent: kinds of CRDs have their fields in the order of the alphabet, as the real server's maps have, and lists of
 * built-in kinds that are empty are none.
 */
export function objectText(strategy: Strategy, object: JsonObject): string {
  const text = JSON.stringify(strategy.isCustom ? sorted(object) : object);
  return strategy.keepsEmptyLists || !text.includes("[]") ? text : JSON.stringify(object, noEmptyLists);
}

function noEmptyLists(_name: string, value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length === 0 ? null : value;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

export interface Put {
  readonly key: string;
  readonly strategy: Strategy;
  readonly object: JsonObject;
  readonly isDryRun: boolean;
}

/** Keeps the object under the transaction's revision. Returns it as it is sent; a dry run has no new version. */
export function putObject(transaction: Transaction, { key, strategy, object, isDryRun }: Put): string {
  if (isDryRun) return objectText(strategy, object);
  const versioned = withMetadata(object, { resourceVersion: String(transaction.revision) });
  const text = objectText(strategy, versioned);
  const { storedApiVersion: apiVersion } = strategy;
  transaction.put(
    key,
    versioned["apiVersion"] === apiVersion ? text : objectText(strategy, { ...versioned, apiVersion }),
  );
  return text;
}

/** Whether to keep it would change nothing. */
export function isAsStored(strategy: Strategy, object: JsonObject, { text }: StoredObject): boolean {
  const stored = withMetadata(JSON.parse(text) as JsonObject, { resourceVersion: undefined });
  const kept = withMetadata({ ...object, apiVersion: strategy.storedApiVersion }, { resourceVersion: undefined });
  return sameJson(stored, JSON.parse(objectText(strategy, kept)) as JsonObject);
}
