// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { PersistentVolumeSpec, TopologySelectorTerm } from "./core-v1.ts";
import type { LabelSelector, ListMeta, ObjectMeta, QuantityString } from "./meta-v1.ts";

/** CSIDriver captures information about a Container Storage Interface (CSI) volume driver deployed on the cluster. */
export interface CSIDriver {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIDriver";
  /**
   * Standard object metadata. metadata.Name indicates the name of the CSI driver that this object refers to; it MUST be
   * the same name returned by the CSI GetPluginName() call for that driver.
   */
  metadata: ObjectMeta;
  /** spec represents the specification of the CSI Driver. */
  spec: CSIDriverSpec;
}

/** CSIDriverList is a collection of CSIDriver objects. */
export interface CSIDriverList {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIDriverList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of CSIDriver */
  items: CSIDriver[];
}

/** CSIDriverSpec is the specification of a CSIDriver. */
export interface CSIDriverSpec {
  /**
   * attachRequired indicates this CSI volume driver requires an attach operation (because it implements the CSI
   * ControllerPublishVolume() method), and that the Kubernetes attach detach controller should call the attach volume
   * interface which checks the volumeattachment status and waits until the volume is attached before proceeding to
   * mounting.
   */
  attachRequired?: boolean;
  /**
   * fsGroupPolicy defines if the underlying volume supports changing ownership and permission of the volume before
   * being mounted.
   */
  fsGroupPolicy?: string;
  /**
   * nodeAllocatableUpdatePeriodSeconds specifies the interval between periodic updates of the CSINode allocatable
   * capacity for this driver.
   */
  nodeAllocatableUpdatePeriodSeconds?: number;
  /**
   * podInfoOnMount indicates this CSI volume driver requires additional pod information (like podName, podUID, etc.)
   * during mount operations, if set to true.
   */
  podInfoOnMount?: boolean;
  /**
   * PreventPodSchedulingIfMissing indicates that the CSI driver wants to prevent pod scheduling if the CSI driver on
   * the node is missing.
   */
  preventPodSchedulingIfMissing?: boolean;
  /**
   * requiresRepublish indicates the CSI driver wants `NodePublishVolume` being periodically called to reflect any
   * possible change in the mounted volume.
   */
  requiresRepublish?: boolean;
  /** seLinuxMount specifies if the CSI driver supports "-o context" mount option. */
  seLinuxMount?: boolean;
  /**
   * serviceAccountTokenInSecrets is an opt-in for CSI drivers to indicate that service account tokens should be passed
   * via the Secrets field in NodePublishVolumeRequest instead of the VolumeContext field.
   */
  serviceAccountTokenInSecrets?: boolean;
  /**
   * storageCapacity indicates that the CSI volume driver wants pod scheduling to consider the storage capacity that the
   * driver deployment will report by creating CSIStorageCapacity objects with capacity information, if set to true.
   */
  storageCapacity?: boolean;
  /**
   * tokenRequests indicates the CSI driver needs pods' service account tokens it is mounting volume for to do necessary
   * authentication.
   */
  tokenRequests?: TokenRequest[];
  /** volumeLifecycleModes defines what kind of volumes this CSI volume driver supports. */
  volumeLifecycleModes?: string[];
}

/** CSINode holds information about all CSI drivers installed on a node. */
export interface CSINode {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSINode";
  /** Standard object's metadata. metadata.name must be the Kubernetes node name. */
  metadata: ObjectMeta;
  /** spec is the specification of CSINode */
  spec: CSINodeSpec;
}

/** CSINodeDriver holds information about the specification of one CSI driver installed on a node */
export interface CSINodeDriver {
  /** allocatable represents the volume resources of a node that are available for scheduling. */
  allocatable?: VolumeNodeResources;
  /** name represents the name of the CSI driver that this object refers to. */
  name: string;
  /** nodeID of the node from the driver point of view. */
  nodeID: string;
  /** topologyKeys is the list of keys supported by the driver. */
  topologyKeys?: string[];
}

/** CSINodeList is a collection of CSINode objects. */
export interface CSINodeList {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSINodeList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of CSINode */
  items: CSINode[];
}

/** CSINodeSpec holds information about the specification of all CSI drivers installed on a node */
export interface CSINodeSpec {
  /** drivers is a list of information of all CSI Drivers existing on a node. */
  drivers: CSINodeDriver[];
}

/** CSIStorageCapacity stores the result of one CSI GetCapacity call. */
export interface CSIStorageCapacity {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIStorageCapacity";
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /**
   * capacity is the value reported by the CSI driver in its GetCapacityResponse for a GetCapacityRequest with topology
   * and parameters that match the previous fields.
   */
  capacity?: QuantityString;
  /**
   * maximumVolumeSize is the value reported by the CSI driver in its GetCapacityResponse for a GetCapacityRequest with
   * topology and parameters that match the previous fields.
   */
  maximumVolumeSize?: QuantityString;
  /** nodeTopology defines which nodes have access to the storage for which capacity was reported. */
  nodeTopology?: LabelSelector;
  /** storageClassName represents the name of the StorageClass that the reported capacity applies to. */
  storageClassName: string;
}

/** CSIStorageCapacityList is a collection of CSIStorageCapacity objects. */
export interface CSIStorageCapacityList {
  apiVersion: "storage.k8s.io/v1";
  kind: "CSIStorageCapacityList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of CSIStorageCapacity objects. */
  items: CSIStorageCapacity[];
}

/**
 * StorageClass describes the parameters for a class of storage for which PersistentVolumes can be dynamically
 * provisioned.
 */
export interface StorageClass {
  apiVersion: "storage.k8s.io/v1";
  kind: "StorageClass";
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** allowVolumeExpansion shows whether the storage class allow volume expand. */
  allowVolumeExpansion?: boolean;
  /** allowedTopologies restrict the node topologies where volumes can be dynamically provisioned. */
  allowedTopologies?: TopologySelectorTerm[];
  /**
   * mountOptions controls the mountOptions for dynamically provisioned PersistentVolumes of this storage class. e.g.
   * ["ro", "soft"].
   */
  mountOptions?: string[];
  /** parameters holds the parameters for the provisioner that should create volumes of this storage class. */
  parameters?: Record<string, string>;
  /** provisioner indicates the type of the provisioner. */
  provisioner: string;
  /** reclaimPolicy controls the reclaimPolicy for dynamically provisioned PersistentVolumes of this storage class. */
  reclaimPolicy?: "Delete" | "Recycle" | "Retain";
  /** volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and bound. */
  volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
}

/** StorageClassList is a collection of storage classes. */
export interface StorageClassList {
  apiVersion: "storage.k8s.io/v1";
  kind: "StorageClassList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of StorageClasses */
  items: StorageClass[];
}

/** TokenRequest contains parameters of a service account token. */
export interface TokenRequest {
  /** audience is the intended audience of the token in "TokenRequestSpec". */
  audience: string;
  /** expirationSeconds is the duration of validity of the token in "TokenRequestSpec". */
  expirationSeconds?: number;
}

/** VolumeAttachment captures the intent to attach or detach the specified volume to/from the specified node. */
export interface VolumeAttachment {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttachment";
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** spec represents specification of the desired attach/detach volume behavior. */
  spec: VolumeAttachmentSpec;
  /** status represents status of the VolumeAttachment request. */
  status?: VolumeAttachmentStatus;
}

/** VolumeAttachmentList is a collection of VolumeAttachment objects. */
export interface VolumeAttachmentList {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttachmentList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of VolumeAttachments */
  items: VolumeAttachment[];
}

/** VolumeAttachmentSource represents a volume that should be attached. */
export interface VolumeAttachmentSource {
  /**
   * inlineVolumeSpec contains all the information necessary to attach a persistent volume defined by a pod's inline
   * VolumeSource.
   */
  inlineVolumeSpec?: PersistentVolumeSpec;
  /** persistentVolumeName represents the name of the persistent volume to attach. */
  persistentVolumeName?: string;
}

/** VolumeAttachmentSpec is the specification of a VolumeAttachment request. */
export interface VolumeAttachmentSpec {
  /** attacher indicates the name of the volume driver that MUST handle this request. */
  attacher: string;
  /** nodeName represents the node that the volume should be attached to. */
  nodeName: string;
  /** source represents the volume that should be attached. */
  source: VolumeAttachmentSource;
}

/** VolumeAttachmentStatus is the status of a VolumeAttachment request. */
export interface VolumeAttachmentStatus {
  /** attachError represents the last error encountered during attach operation, if any. */
  attachError?: VolumeError;
  /** attached indicates the volume is successfully attached. */
  attached: boolean;
  /**
   * attachmentMetadata is populated with any information returned by the attach operation, upon successful attach, that
   * must be passed into subsequent WaitForAttach or Mount calls.
   */
  attachmentMetadata?: Record<string, string>;
  /** detachError represents the last error encountered during detach operation, if any. */
  detachError?: VolumeError;
}

/** VolumeAttributesClass represents a specification of mutable volume attributes defined by the CSI driver. */
export interface VolumeAttributesClass {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttributesClass";
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Name of the CSI driver This field is immutable. */
  driverName: string;
  /** parameters hold volume attributes defined by the CSI driver. */
  parameters?: Record<string, string>;
}

/** VolumeAttributesClassList is a collection of VolumeAttributesClass objects. */
export interface VolumeAttributesClassList {
  apiVersion: "storage.k8s.io/v1";
  kind: "VolumeAttributesClassList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of VolumeAttributesClass objects. */
  items: VolumeAttributesClass[];
}

/** VolumeError captures an error encountered during a volume operation. */
export interface VolumeError {
  /** errorCode is a numeric gRPC code representing the error encountered during Attach or Detach operations. */
  errorCode?: number;
  /** message represents the error encountered during Attach or Detach operation. */
  message?: string;
  /** time represents the time the error was encountered. */
  time?: string;
}

/** VolumeNodeResources is a set of resource limits for scheduling of volumes. */
export interface VolumeNodeResources {
  /** count indicates the maximum number of unique volumes managed by the CSI driver that can be used on a node. */
  count?: number;
}
