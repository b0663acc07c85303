import type { ManagedFieldsEntry } from "../api/generated/meta-v1.ts";
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from "../patches/json-value.ts";
import { decodeManagers, encodeManagers, type Managers } from "./managed-fields.ts";
import { kindText } from "./managed-kind.ts";
import { invalid } from "./ownership.ts";

/** The managers that an object carries; what cannot be read is `APPLY_INVALID_OBJECT`. */
export function liveManagers(object: JsonObject): Managers {
  try {
    return decodeManagers(entriesOf(object) ?? []);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(`failed to decode managed fields: ${error.message}`);
  }
}

/**
 * The managers that count before an update. A client that knows nothing of them sends none, and must not thereby remove them; one
 * that corrects them sends its own, and one that wants to be rid of them an empty list.
 */
export function carriedManagers(live: JsonObject, next: JsonObject, isSubresource: boolean): Managers {
  const sent = entriesOf(next);
  if (isSubresource || sent === undefined) return readable(live);
  if (sent.length === 0 || (sent.length === 1 && equalJson(sent[0] as JsonValue, {}))) return new Map();
  const managers = readable(next);
  return managers.size === 0 ? readable(live) : managers;
}

function readable(object: JsonObject): Managers {
  try {
    return decodeManagers(entriesOf(object) ?? []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

function entriesOf(object: JsonObject): ManagedFieldsEntry[] | undefined {
  const metadata = object["metadata"];
  const entries = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  return Array.isArray(entries) ? (entries as ManagedFieldsEntry[]) : undefined;
}

/** The object with these managers in place of those that it has. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const { managedFields: _, ...rest } = metadata;
  const entries = encodeManagers(managers) as unknown as JsonValue[];
  return { ...object, metadata: entries.length === 0 ? rest : { ...rest, managedFields: entries } };
}

/** `default/web; apps/v1, Kind=Deployment`, as messages have it. */
export function nameOf(object: JsonObject): string {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const { name, namespace } = metadata;
  return `${text(namespace)}/${text(name)}; ${kindText(text(object["apiVersion"]), text(object["kind"]))}`;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
