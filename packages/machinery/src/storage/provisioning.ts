/** Of PVCs, PVs and StorageClasses where volumes are made and deleted. */
export const provisioningAnnotations = {
  /** Which driver is to provision the claim; set by Kubernetes. */
  storageProvisioner: "volume.kubernetes.io/storage-provisioner",
  betaStorageProvisioner: "volume.beta.kubernetes.io/storage-provisioner",
  /** The class of a claim, before there was a field for it; it still counts, and before the field. */
  betaStorageClass: "volume.beta.kubernetes.io/storage-class",
  /** The node of the Pod that waits for the claim; set by the scheduler, taken away to have it choose anew. */
  selectedNode: "volume.kubernetes.io/selected-node",
  provisionedBy: "pv.kubernetes.io/provisioned-by",
  /** On a PV: the Secret for DeleteVolume, since the class may be gone by then. Always there, empty when none is needed. */
  deletionSecretName: "volume.kubernetes.io/provisioner-deletion-secret-name",
  deletionSecretNamespace: "volume.kubernetes.io/provisioner-deletion-secret-namespace",
  /** On a PV: the Secret for ControllerModifyVolume, for which the PV has no field. */
  modifySecretName: "volume.kubernetes.io/controller-modify-secret-name",
  modifySecretNamespace: "volume.kubernetes.io/controller-modify-secret-namespace",
} as const;

export const provisioningFinalizers = {
  /** On a PV that is to be deleted with its volume: keeps the object until the volume is gone. */
  volume: "external-provisioner.volume.kubernetes.io/finalizer",
  /** On a claim that is being cloned. */
  cloningProtection: "provisioner.storage.kubernetes.io/cloning-protection",
  /** On a VolumeSnapshot that is being restored. Not the snapshot controller's, whose name differs by its domain alone. */
  snapshotSourceProtection: "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection",
} as const;

/** Of events. */
export const provisioningReasons = {
  provisioning: "Provisioning",
  succeeded: "ProvisioningSucceeded",
  failed: "ProvisioningFailed",
  /** On a PV. */
  deleteFailed: "VolumeFailedDelete",
  /** On the journal of intents: an entry that a person must look at. */
  intentUnresolved: "ProvisioningIntentUnresolved",
} as const;

/** Parameters of a StorageClass under this prefix are for the sidecars, and never reach the driver. */
export const parameterPrefix = "csi.storage.k8s.io/";

/** What the driver is told of the claim when extra metadata is asked for. */
export const createMetadataParameters = {
  claimName: "csi.storage.k8s.io/pvc/name",
  claimNamespace: "csi.storage.k8s.io/pvc/namespace",
  volumeName: "csi.storage.k8s.io/pv/name",
} as const;

/** Of a PV's volumeAttributes: which run of which provisioner made it. */
export const provisionerIdentityAttribute = "storage.kubernetes.io/csiProvisionerIdentity";
