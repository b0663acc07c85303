import {
  type PersistentVolumeClaim,
  type PersistentVolumeClaimSpec,
  provisioningAnnotations,
  Quantity,
} from "@stowage/machinery";

// What is read of a claim in more than one place.

export function specOf(claim: PersistentVolumeClaim): PersistentVolumeClaimSpec {
  return claim.spec ?? {};
}

export function uidOf(claim: Pick<PersistentVolumeClaim, "metadata">): string {
  return claim.metadata.uid ?? "";
}

/** Empty when the claim wants no class. */
export function classNameOf(claim: PersistentVolumeClaim): string {
  const { betaStorageClass } = provisioningAnnotations;
  return claim.metadata.annotations?.[betaStorageClass] ?? specOf(claim).storageClassName ?? "";
}

/** Undefined while the scheduler has not chosen. */
export function selectedNodeOf(claim: PersistentVolumeClaim): string | undefined {
  return claim.metadata.annotations?.[provisioningAnnotations.selectedNode] || undefined;
}

/** The driver that Kubernetes asks to provision the claim. */
export function provisionerOf(claim: PersistentVolumeClaim): string | undefined {
  const { storageProvisioner, betaStorageProvisioner } = provisioningAnnotations;
  const { annotations = {} } = claim.metadata;
  return annotations[storageProvisioner] ?? annotations[betaStorageProvisioner];
}

export function requestedBytes(claim: PersistentVolumeClaim): bigint {
  const storage = specOf(claim).resources?.requests?.["storage"];
  return storage === undefined ? 0n : Quantity.fromJson(storage).toBytes();
}

export function isBlock(claim: PersistentVolumeClaim): boolean {
  return specOf(claim).volumeMode === "Block";
}

/** `namespace/name`, for messages. */
export function claimKey({ metadata }: Pick<PersistentVolumeClaim, "metadata">): string {
  return `${metadata.namespace}/${metadata.name}`;
}
