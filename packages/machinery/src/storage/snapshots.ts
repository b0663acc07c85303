/** Of VolumeSnapshotContents and VolumeSnapshotClasses. */
export const snapshotAnnotations = {
  /** On a class: `true` makes it the default of its driver. */
  isDefaultClass: "snapshot.storage.kubernetes.io/is-default-class",
  /**
   * The intent: written before CreateSnapshot is called, taken away when the driver has certainly answered. While it is there the
   * storage may hold a snapshot that the content does not know yet.
   */
  beingCreated: "snapshot.storage.kubernetes.io/volumesnapshot-being-created",
  /** The snapshot of this content is being deleted; what becomes of the storage's snapshot is up to the content's policy. */
  beingDeleted: "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted",
  deletionSecretName: "snapshot.storage.kubernetes.io/deletion-secret-name",
  deletionSecretNamespace: "snapshot.storage.kubernetes.io/deletion-secret-namespace",
  /** On the content of a group's member, with the driver's id of the group: the driver took the snapshot with the group. */
  groupSnapshotHandle: "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle",
} as const;

/** Of VolumeGroupSnapshotContents and VolumeGroupSnapshotClasses. */
export const groupSnapshotAnnotations = {
  isDefaultClass: "groupsnapshot.storage.kubernetes.io/is-default-class",
  beingCreated: "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created",
  beingDeleted: "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted",
  deletionSecretName: "groupsnapshot.storage.kubernetes.io/deletion-secret-name",
  deletionSecretNamespace: "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace",
} as const;

/** What keeps objects until the snapshots that hang on them are dealt with. */
export const snapshotFinalizers = {
  content: "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
  /** On a VolumeSnapshot whose content goes with it. */
  bound: "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
  /** On every VolumeSnapshot: a volume may be restored from it. */
  asSource: "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
  /** On the VolumeSnapshots of a group. */
  inGroup: "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection",
  /** On a PVC while a snapshot of it is being taken. */
  claimAsSource: "snapshot.storage.kubernetes.io/pvc-as-source-protection",
  groupContent: "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection",
  groupBound: "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection",
} as const;

export const snapshotLabels = {
  /** The node whose sidecar deals with the content, in distributed mode. */
  managedBy: "snapshot.storage.kubernetes.io/managed-by",
} as const;

/** Of events about VolumeSnapshots and their contents. */
export const snapshotReasons = {
  creating: "CreatingSnapshot",
  created: "SnapshotCreated",
  ready: "SnapshotReady",
  creationFailed: "SnapshotCreationFailed",
  checkFailed: "SnapshotContentCheckandUpdateFailed",
  deleteError: "SnapshotDeleteError",
  deletePending: "SnapshotDeletePending",
  contentCreationFailed: "SnapshotContentCreationFailed",
  contentDeleteError: "SnapshotContentObjectDeleteError",
  contentInvalid: "ContentValidationError",
  contentMissing: "SnapshotContentMissing",
  contentMismatch: "SnapshotContentMismatch",
  contentMisbound: "SnapshotContentMisbound",
  misbound: "SnapshotMisbound",
  bindFailed: "SnapshotBindFailed",
  invalid: "SnapshotValidationError",
  classMissing: "GetSnapshotClassFailed",
  noDefaultClass: "SetDefaultSnapshotClassFailed",
  claimFinalizerError: "ErrorPVCFinalizer",
} as const;

/** Of events about VolumeGroupSnapshots and their contents. */
export const groupSnapshotReasons = {
  creating: "CreatingGroupSnapshot",
  created: "GroupSnapshotCreated",
  ready: "GroupSnapshotReady",
  creationFailed: "GroupSnapshotCreationFailed",
  checkFailed: "GroupSnapshotContentCheckandUpdateFailed",
  deleteError: "GroupSnapshotDeleteError",
  deletePending: "SnapshotDeletePending",
  contentCreationFailed: "GroupSnapshotContentCreationFailed",
  contentDeleteError: "GroupSnapshotContentObjectDeleteError",
  contentInvalid: "GroupContentValidationError",
  contentMissing: "GroupSnapshotContentMissing",
  contentMismatch: "GroupSnapshotContentMismatch",
  contentMisbound: "GroupSnapshotContentMisbound",
  misbound: "GroupSnapshotMisbound",
  bindFailed: "GroupSnapshotBindFailed",
  invalid: "GroupSnapshotValidationError",
  classMissing: "GetGroupSnapshotClassFailed",
  noDefaultClass: "SetDefaultGroupSnapshotClassFailed",
} as const;

/** Parameters of snapshot classes that are for the sidecars, and those that they hand to the driver on request. */
export const snapshotParameters = {
  prefix: "csi.storage.k8s.io/",
  snapshotterSecretName: "csi.storage.k8s.io/snapshotter-secret-name",
  snapshotterSecretNamespace: "csi.storage.k8s.io/snapshotter-secret-namespace",
  snapshotterListSecretName: "csi.storage.k8s.io/snapshotter-list-secret-name",
  snapshotterListSecretNamespace: "csi.storage.k8s.io/snapshotter-list-secret-namespace",
  groupSnapshotterSecretName: "csi.storage.k8s.io/group-snapshotter-secret-name",
  groupSnapshotterSecretNamespace: "csi.storage.k8s.io/group-snapshotter-secret-namespace",
  groupSnapshotterGetSecretName: "csi.storage.k8s.io/group-snapshotter-get-secret-name",
  groupSnapshotterGetSecretNamespace: "csi.storage.k8s.io/group-snapshotter-get-secret-namespace",
  snapshotName: "csi.storage.k8s.io/volumesnapshot/name",
  snapshotNamespace: "csi.storage.k8s.io/volumesnapshot/namespace",
  contentName: "csi.storage.k8s.io/volumesnapshotcontent/name",
  groupSnapshotName: "csi.storage.k8s.io/volumegroupsnapshot/name",
  groupSnapshotNamespace: "csi.storage.k8s.io/volumegroupsnapshot/namespace",
  groupContentName: "csi.storage.k8s.io/volumegroupsnapshotcontent/name",
} as const;
