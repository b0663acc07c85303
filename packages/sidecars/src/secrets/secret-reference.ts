import type { SecretReference } from "@stowage/machinery";
import type { SecretRef } from "./secret-parameters.ts";

/** The Secret that a PersistentVolume names for a call; undefined when it names none. */
export function secretRef(reference: SecretReference | undefined): SecretRef | undefined {
  return reference === undefined ? undefined : { namespace: reference.namespace ?? "", name: reference.name ?? "" };
}
