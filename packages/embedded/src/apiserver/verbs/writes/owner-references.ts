import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, sameJson, textOf, withMetadata } from "../../strategies/index.ts";

/** The same owner is kept once, and the client told that it came more often. */
export function withOwnersOnce(object: JsonObject, warnings: string[]): JsonObject {
  const owners: JsonValue[] = [];
  const duplicates: string[] = [];
  for (const owner of listOf(metadataOf(object)["ownerReferences"])) {
    if (owners.some((known) => sameJson(known, owner))) duplicates.push(textOf(fieldsOf(owner)["uid"]));
    else owners.push(owner);
  }
  if (duplicates.length === 0) return object;
  warnings.push(`${advice} ${duplicates.join(", ")}`);
  return withMetadata(object, { ownerReferences: owners });
}

const advice =
  ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such " +
  "requests as early as 1.24; please fix your requests; duplicate UID(s) observed:";
