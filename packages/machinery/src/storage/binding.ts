/** Of PVs and PVCs where they are bound to each other. Their values do not matter. */
export const bindingAnnotations = {
  /** On a PVC: it was bound once, so that a volume which is not there any more is a loss. */
  bindCompleted: "pv.kubernetes.io/bind-completed",
  /** On both: Kubernetes chose the other, not a user. */
  boundByController: "pv.kubernetes.io/bound-by-controller",
  /** On both: a CSI driver does the work of the plugin that once was in Kubernetes itself. */
  migratedTo: "pv.kubernetes.io/migrated-to",
} as const;

/** What keeps objects until nothing uses them any more. */
export const protectionFinalizers = {
  claim: "kubernetes.io/pvc-protection",
  volume: "kubernetes.io/pv-protection",
  attributesClass: "kubernetes.io/vac-protection",
} as const;

/** Any of them, with the value `true`, makes a StorageClass the default. */
export const defaultClassAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
] as const;

/** Of events. */
export const bindingReasons = {
  failed: "FailedBinding",
  mismatch: "VolumeMismatch",
  waitForFirstConsumer: "WaitForFirstConsumer",
  waitForPodScheduled: "WaitForPodScheduled",
  externalProvisioning: "ExternalProvisioning",
  provisioningFailed: "ProvisioningFailed",
  claimLost: "ClaimLost",
  claimMisbound: "ClaimMisbound",
  recycleFailed: "VolumeFailedRecycle",
  deleteFailed: "VolumeFailedDelete",
  unknownReclaimPolicy: "VolumeUnknownReclaimPolicy",
} as const;
