import type { JsonObject } from "@stowage/machinery/apply";
import { metadataOf, withMetadata } from "../../../json-fields.ts";

/** The Pod with the metadata that it had, but for who wrote what. */
export function withOwnMetadata(pod: JsonObject, old: JsonObject): JsonObject {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = metadataOf(old);
  return withMetadata(pod, { labels, annotations, finalizers, ownerReferences, deletionTimestamp });
}
