/**
 * Every cause that `stowage explain` can find: other programs rely on the codes, never rename one. The reference page
 * `docs/reference/causes.md` is generated from this table.
 */
export interface CauseEntry {
  /** What part of the chain it is in. */
  readonly about:
    | "claim"
    | "class"
    | "source"
    | "driver"
    | "scheduling"
    | "attachment"
    | "mount"
    | "volume"
    | "expansion"
    | "snapshot"
    | "pod";
  /** Without the particulars, in one line. */
  readonly summary: string;
}

const cause = (about: CauseEntry["about"], summary: string): CauseEntry => ({ about, summary });

export const causeCatalogue = {
  CLAIM_MISSING: cause("claim", "There is no such claim."),
  CLAIM_REFUSED: cause("claim", "A StatefulSet was to make the claim, and the API server refused it."),
  QUOTA_EXCEEDED: cause("claim", "A StatefulSet was to make the claim, and a ResourceQuota does not allow it."),
  CLAIM_WAITS_FOR_CONSUMER: cause("claim", "The volume is made once a Pod uses the claim, and none does."),
  CLAIM_SELECTOR_UNPROVISIONABLE: cause(
    "claim",
    "A claim with a selector gets only a volume that exists, and none fits.",
  ),
  CLAIM_LOST: cause("claim", "The PersistentVolume that the claim was bound to is gone."),
  CLAIM_DELETED_IN_USE: cause("claim", "The claim is being deleted while Pods use it."),
  CLAIM_DELETED_WHILE_COPIED: cause("claim", "The claim is being deleted while a snapshot or a clone of it is made."),
  CLAIM_DELETION_HELD: cause("claim", "The claim is being deleted, and somebody's finalizer keeps it."),
  VOLUME_NAMED_MISSING: cause("claim", "The claim asks for a PersistentVolume that does not exist."),
  VOLUME_NAMED_TAKEN: cause("claim", "The claim asks for a PersistentVolume that belongs to another claim."),
  VOLUME_TOO_SMALL: cause("claim", "The PersistentVolume that the claim asks for is too small."),
  VOLUME_CLASS_DIFFERS: cause("claim", "The PersistentVolume that the claim asks for has another class."),
  VOLUME_MODE_DIFFERS: cause("claim", "The PersistentVolume that the claim asks for is a block device, or is none."),
  VOLUME_ACCESS_MODES_DIFFER: cause(
    "claim",
    "The PersistentVolume that the claim asks for does not allow its access modes.",
  ),
  VOLUME_SELECTOR_MATCHES_NONE: cause("claim", "The claim's selector matches no PersistentVolume that would fit."),
  VOLUME_NONE_FITS: cause("claim", "No volume is made for a claim with an empty class, and no existing one fits."),

  CLASS_NONE_AND_NO_DEFAULT: cause("class", "The claim names no StorageClass, and there is no default."),
  CLASS_MISSING: cause("class", "The StorageClass does not exist."),
  CLASS_NO_PROVISIONER: cause("class", "The class makes no volumes, and no existing one fits."),
  CLASSES_SEVERAL_DEFAULTS: cause("class", "Several StorageClasses are the default."),
  CLASS_SECRET_MISSING: cause("class", "A Secret that the class names does not exist."),
  CLASS_SECRET_TEMPLATE_BAD: cause("class", "The class names a Secret in a way that cannot be resolved."),
  TOPOLOGY_WITHOUT_NODE: cause("class", "The class allows only places in which there is no node."),
  CAPACITY_TOO_SMALL: cause("class", "The driver publishes how much room there is, and nowhere is there enough."),

  POPULATOR_UNKNOWN: cause("source", "The claim is to be filled from a kind of object that no populator knows."),
  SOURCE_NAMESPACE_DROPPED: cause("source", "The source is in another namespace, and the API server has dropped it."),
  SNAPSHOT_SOURCE_MISSING: cause("source", "The snapshot to restore does not exist."),
  SNAPSHOT_SOURCE_NOT_READY: cause("source", "The snapshot to restore is not ready to use."),
  SNAPSHOT_SOURCE_OTHER_DRIVER: cause("source", "The snapshot to restore is of another driver."),
  SNAPSHOT_SOURCE_LARGER: cause("source", "The claim is smaller than the snapshot to restore."),
  CLONE_SOURCE_MISSING: cause("source", "The claim to clone does not exist."),
  CLONE_SOURCE_UNBOUND: cause("source", "The claim to clone has no volume yet."),
  CLONE_SOURCE_OTHER_DRIVER: cause("source", "The claim to clone has a volume of another driver."),
  CLONE_SOURCE_OTHER_MODE: cause("source", "The claim to clone is a block device, or is none."),
  CLONE_SOURCE_LARGER: cause("source", "The claim is smaller than the one to clone."),

  DRIVER_NOT_INSTALLED: cause("driver", "No driver of that name is installed."),
  DRIVER_NAME_SIMILAR: cause("driver", "No driver of that name is installed, but one whose name is nearly the same."),
  DRIVER_REMOVED: cause("driver", "An administrator has had the driver removed."),
  DRIVER_UNMANAGED: cause("driver", "The driver's operator was told to keep its hands off."),
  DRIVER_OPERATOR_DEGRADED: cause("driver", "The driver's operator reports a failure."),
  STORAGE_OPERATOR_DEGRADED: cause("driver", "The cluster storage operator reports a failure."),
  DRIVER_ON_NO_NODE: cause("driver", "The driver is registered on no node, so that no place for a volume is known."),
  PROVISIONER_ABSENT: cause("driver", "Nothing runs the driver's provisioner."),
  ATTACHER_ABSENT: cause("driver", "Nothing runs the driver's attacher."),
  RESIZER_ABSENT: cause("driver", "Nothing runs the driver's resizer."),
  SNAPSHOTTER_ABSENT: cause("driver", "Nothing runs the driver's snapshotter."),
  SIDECAR_SCALED_TO_ZERO: cause("driver", "The workload with the driver's sidecar has no replicas."),
  SIDECAR_PODS_REFUSED: cause("driver", "The API server refuses the Pods of the driver's sidecar."),
  SIDECAR_UNSCHEDULABLE: cause("driver", "There is no node for the Pods of the driver's sidecar."),
  SIDECAR_IMAGE_UNAVAILABLE: cause("driver", "The image of the driver's sidecar cannot be had."),
  SIDECAR_CRASHES: cause("driver", "The driver's sidecar ends again and again."),
  SIDECAR_NOT_AVAILABLE: cause("driver", "The Pods of the driver's sidecar are not available."),
  STORAGE_EXHAUSTED: cause("driver", "CreateVolume failed: the storage has no room, or a quota of its own is used up."),
  CREATE_VOLUME_INVALID: cause("driver", "CreateVolume failed: the driver does not understand what is asked for."),
  CREATE_VOLUME_UNAUTHENTICATED: cause("driver", "CreateVolume failed: the credentials are not accepted."),
  CREATE_VOLUME_DENIED: cause("driver", "CreateVolume failed: the driver's account may not do it."),
  DRIVER_UNREACHABLE: cause("driver", "CreateVolume failed: the driver or its storage cannot be reached."),
  CREATE_VOLUME_TIMED_OUT: cause("driver", "CreateVolume failed: the driver did not answer in time."),
  CREATE_VOLUME_REFUSED: cause("driver", "CreateVolume failed for another reason, which the driver says."),
  PROVISIONING_FAILED: cause("driver", "The provisioner says why it cannot make the volume."),

  CLUSTER_WITHOUT_NODES: cause("scheduling", "The Pod has no node: there are none."),
  POD_GATED: cause("scheduling", "The Pod has scheduling gates."),
  POD_BYPASSES_SCHEDULER: cause("scheduling", "The Pod names its node itself, and its claim waits for the scheduler."),
  POD_TOO_LARGE: cause("scheduling", "No node has so much cpu, memory or other resources left."),
  NODE_CORDONED: cause("scheduling", "The nodes that the Pod could go to are cordoned."),
  NODE_TAINTED: cause("scheduling", "The nodes have taints that the Pod does not tolerate."),
  POD_AFFINITY_WITHOUT_NODE: cause("scheduling", "No node has the labels that the Pod asks for."),
  VOLUME_NODE_AFFINITY_CONFLICT: cause(
    "scheduling",
    "The volume can be reached only from nodes that the Pod cannot go to.",
  ),
  VOLUME_NONE_ON_NODES: cause("scheduling", "No free volume can be used on a node that the Pod could go to."),
  VOLUME_IN_USE_BY_ONE_POD: cause("scheduling", "The claim is for one Pod at a time, and another has it."),
  ATTACH_LIMIT_REACHED: cause("scheduling", "The nodes have as many volumes of the driver as they can take."),

  POD_MISSING: cause("pod", "There is no such Pod."),
  POD_CLAIM_MISSING: cause("pod", "The Pod uses a claim that does not exist."),
  POD_CONFIG_MAP_MISSING: cause("pod", "The Pod mounts a ConfigMap that does not exist."),
  POD_IMAGE_UNAVAILABLE: cause(
    "pod",
    "The image of one of the Pod's containers cannot be had; storage has no part in it.",
  ),
  POD_CRASHES: cause("pod", "One of the Pod's containers ends again and again; storage has no part in it."),
  POD_SECRET_MISSING: cause("pod", "The Pod mounts a Secret that does not exist."),

  NODE_NOT_READY: cause("attachment", "The Pod's node is not ready."),
  NODE_MISSING: cause("attachment", "The Pod's node does not exist."),
  NODE_WITHOUT_DRIVER: cause("attachment", "The volume's driver is not registered on the Pod's node."),
  MULTI_ATTACH: cause("attachment", "The volume can be on one node at a time, and another has it."),
  ATTACH_REFUSED: cause("attachment", "The driver could not attach the volume to the node."),
  ATTACH_NODE_FULL: cause("attachment", "The node has as many volumes attached as the storage allows."),

  STAGE_REFUSED: cause("mount", "The driver could not make the volume ready on the node."),
  NODE_SECRET_MISSING: cause("mount", "A Secret that the volume names for the node does not exist."),
  MOUNT_REFUSED: cause("mount", "The driver could not mount the volume for the Pod."),

  VOLUME_MISSING: cause("volume", "There is no such PersistentVolume."),
  VOLUME_RELEASED: cause("volume", "The volume's claim is gone, and the volume is kept until somebody frees it."),
  VOLUME_DELETED_IN_USE: cause("volume", "The volume is being deleted while a claim has it."),
  VOLUME_STILL_ATTACHED: cause("volume", "The volume is to be deleted, and is attached to a node."),
  DETACH_REFUSED: cause("volume", "The volume is to be deleted, and the driver cannot detach it."),
  VOLUME_DELETION_REFUSED: cause("volume", "The driver could not delete the volume."),

  EXPANSION_UNSUPPORTED: cause("expansion", "The volume is not of a CSI driver, and cannot grow."),
  EXPANSION_REFUSED: cause("expansion", "The driver could not grow the volume."),
  EXPANSION_INFEASIBLE: cause("expansion", "The driver says that the volume can never have that size."),
  EXPANSION_WAITS_FOR_NO_POD: cause("expansion", "The driver grows volumes only while no Pod uses them."),
  EXPANSION_WAITS_FOR_POD: cause("expansion", "The file system grows once a Pod uses the claim."),
  ATTRIBUTES_CLASS_MISSING: cause("expansion", "The VolumeAttributesClass does not exist."),
  ATTRIBUTES_INFEASIBLE: cause("expansion", "The driver says that the volume can never have those attributes."),

  SNAPSHOT_MISSING: cause("snapshot", "There is no such VolumeSnapshot."),
  SNAPSHOT_CRDS_MISSING: cause("snapshot", "The cluster does not know VolumeSnapshots."),
  SNAPSHOT_CONTROLLER_ABSENT: cause("snapshot", "The snapshot controller does not run."),
  SNAPSHOT_CLAIM_MISSING: cause("snapshot", "The claim to take a snapshot of does not exist."),
  SNAPSHOT_CLAIM_UNBOUND: cause("snapshot", "The claim to take a snapshot of has no volume yet."),
  SNAPSHOT_VOLUME_NOT_CSI: cause("snapshot", "The volume is not of a CSI driver, and only those take snapshots."),
  SNAPSHOT_CLASS_MISSING: cause("snapshot", "The VolumeSnapshotClass does not exist."),
  SNAPSHOT_CLASS_NO_DEFAULT: cause("snapshot", "The snapshot names no class, and the driver has no default."),
  SNAPSHOT_CLASSES_SEVERAL_DEFAULTS: cause(
    "snapshot",
    "The snapshot names no class, and the driver has several defaults.",
  ),
  SNAPSHOT_CLASS_OTHER_DRIVER: cause("snapshot", "The VolumeSnapshotClass is of another driver than the volume."),
  SNAPSHOT_CONTENT_MISSING: cause("snapshot", "The VolumeSnapshotContent that the snapshot names does not exist."),
  SNAPSHOT_REFUSED: cause("snapshot", "The driver could not take the snapshot."),
  SNAPSHOT_DELETION_REFUSED: cause("snapshot", "The driver could not delete the snapshot."),
  SNAPSHOT_HELD_BY_RESTORE: cause("snapshot", "The snapshot is being deleted while claims are to be filled from it."),
  SNAPSHOT_FAILED: cause("snapshot", "The snapshot controller says why there is no snapshot."),
  GROUP_SNAPSHOT_MISSING: cause("snapshot", "There is no such VolumeGroupSnapshot."),
  GROUP_SNAPSHOT_CRDS_MISSING: cause("snapshot", "The cluster does not know VolumeGroupSnapshots."),
  GROUP_SNAPSHOT_CLASS_MISSING: cause("snapshot", "The VolumeGroupSnapshotClass does not exist."),
  GROUP_SNAPSHOT_SELECTS_NONE: cause("snapshot", "No claim has the labels that the group snapshot selects by."),
  GROUP_SNAPSHOT_CLAIM_UNBOUND: cause("snapshot", "A claim of the group snapshot has no volume yet."),
  GROUP_SNAPSHOT_OTHER_DRIVER: cause("snapshot", "A volume of the group snapshot is of another driver than its class."),
  GROUP_SNAPSHOT_REFUSED: cause("snapshot", "The driver could not take the snapshots of a group."),
  GROUP_SNAPSHOT_FAILED: cause("snapshot", "The snapshot controller says why there are no snapshots of a group."),
} as const satisfies Readonly<Record<string, CauseEntry>>;

export type CauseCode = keyof typeof causeCatalogue;
