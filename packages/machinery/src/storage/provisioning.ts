/** Of PVCs, PVs and StorageClasses where volumes are made and deleted. */
export const provisioningAnnotations = {
  /** Which driver is to provision the claim; set by Kubernetes. */
  storageProvisioner: "volume.kubernetes.io/storage-provisioner",
  betaStorageProvisioner: "volume.beta.kubernetes.io/storage-provisioner",
  /** The node of the Pod that waits for the claim; set by the scheduler, taken away to have it choose anew. */
  selectedNode: "volume.kubernetes.io/selected-node",
  provisionedBy: "pv.kubernetes.io/provisioned-by",
} as const;
