import { createHash } from "node:crypto";
import type { KubernetesObject } from "@stowage/machinery";
import { goJson } from "./go-json.ts";

/** Renaming it makes every object count as changed. */
export const specHashAnnotation = "operator.openshift.io/spec-hash";

/**
 * SHA-256 of the wanted content as JSON with sorted names. For kinds that the originals treat as plain maps (CredentialsRequest)
 * it is the hash that they compute. For typed kinds they print fields in the order of their Go types, so the hashes differ: when
 * an object changes hands it is written once more, with the same content, which rolls nothing out.
 */
export function specHash(spec: unknown): string {
  return createHash("sha256").update(goJson(spec)).digest("hex");
}

/** The object with the hash of its `spec` as an annotation. */
export function withSpecHash<T extends KubernetesObject & { spec?: unknown }>(object: T): T {
  const annotations = { ...object.metadata.annotations, [specHashAnnotation]: specHash(object.spec) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

export function specHashOf(object: KubernetesObject): string | undefined {
  return object.metadata.annotations?.[specHashAnnotation];
}
