import { type KubernetesObject, StowageError } from "@stowage/machinery";
import type { SecretRef } from "../secrets/index.ts";

export interface DeletionSecretNames {
  readonly deletionSecretName: string;
  readonly deletionSecretNamespace: string;
}

/** The annotations of a content that keep in mind which Secret its class named. */
export function deletionSecretAnnotations(
  ref: SecretRef | undefined,
  { deletionSecretName, deletionSecretNamespace }: DeletionSecretNames,
): Record<string, string> {
  return ref === undefined ? {} : { [deletionSecretName]: ref.name, [deletionSecretNamespace]: ref.namespace };
}

export function deletionSecretOf(
  { metadata }: KubernetesObject,
  { deletionSecretName, deletionSecretNamespace }: DeletionSecretNames,
): SecretRef | undefined {
  const name = metadata.annotations?.[deletionSecretName];
  const namespace = metadata.annotations?.[deletionSecretNamespace];
  if (name === undefined || namespace === undefined) return undefined;
  if (name === "" || namespace === "") {
    throw new StowageError("SECRET_PARAMETERS_INVALID", `the Secret of ${metadata.name} has no name or namespace`, {
      nextStep: `Correct the annotations ${deletionSecretName} and ${deletionSecretNamespace}, or remove both.`,
    });
  }
  return { name, namespace };
}
