import { type PersistentVolume, provisioningAnnotations, type StorageClass } from "@stowage/machinery";
import type { SecretRef } from "../../secrets/index.ts";
import { classSecretRef } from "../requests/index.ts";

/**
 * The Secret that DeleteVolume needs. The PV says which; one that was made by hand, or long ago, does not, and then the class is
 * asked, if it still exists.
 */
export function deletionSecretRef(
  volume: PersistentVolume,
  storageClass: StorageClass | undefined,
): SecretRef | undefined {
  const { annotations = {}, name: volumeName = "" } = volume.metadata;
  const name = annotations[provisioningAnnotations.deletionSecretName];
  const namespace = annotations[provisioningAnnotations.deletionSecretNamespace];
  if (name !== undefined && namespace !== undefined) return name && namespace ? { name, namespace } : undefined;
  const { claimRef } = volume.spec ?? {};
  if (storageClass === undefined || claimRef === undefined) return undefined;
  const claim = { metadata: { name: claimRef.name, namespace: claimRef.namespace } };
  return classSecretRef("provisioner", storageClass.parameters ?? {}, { volumeName, claim });
}
