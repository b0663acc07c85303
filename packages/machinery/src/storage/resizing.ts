/** Of PVCs and PVs where volumes grow or change. */
export const resizingAnnotations = {
  /** On a PVC: which driver is to expand it; set by Kubernetes. */
  storageResizer: "volume.kubernetes.io/storage-resizer",
  /** On a PVC: kubelet has nothing to do after the last expansion. */
  nodeExpansionNotRequired: "volume.kubernetes.io/node-expansion-not-required",
  /** On a PV: the capacity that its PVC has until kubelet has expanded the file system; read by Kubernetes when it binds them. */
  preResizeCapacity: "volume.alpha.kubernetes.io/pre-resize-capacity",
  /** On a PV: the Secret for ControllerModifyVolume; set by the provisioner. */
  modifySecretName: "volume.kubernetes.io/controller-modify-secret-name",
  modifySecretNamespace: "volume.kubernetes.io/controller-modify-secret-namespace",
} as const;

/** Of `status.conditions` of a PVC that is expanded. */
export const resizeConditions = {
  resizing: "Resizing",
  fileSystemResizePending: "FileSystemResizePending",
  controllerResizeError: "ControllerResizeError",
  /** Kubelet's. */
  nodeResizeError: "NodeResizeError",
} as const;

/** Of `status.conditions` of a PVC that is modified. */
export const modifyConditions = {
  modifyingVolume: "ModifyingVolume",
  modifyVolumeError: "ModifyVolumeError",
} as const;

/** Of events on PVCs. */
export const resizeReasons = {
  resizing: "Resizing",
  failed: "VolumeResizeFailed",
  succeeded: "VolumeResizeSuccessful",
  fileSystemResizeRequired: "FileSystemResizeRequired",
  modifying: "VolumeModify",
  modifyFailed: "VolumeModifyFailed",
  modifySucceeded: "VolumeModifySuccessful",
  modifyCancelled: "VolumeModifyCanceled",
} as const;

/** Parameters that `--extra-modify-metadata` adds to those of a VolumeAttributesClass. */
export const modifyMetadata = {
  claimName: "csi.storage.k8s.io/pvc/name",
  claimNamespace: "csi.storage.k8s.io/pvc/namespace",
  volumeName: "csi.storage.k8s.io/pv/name",
} as const;
