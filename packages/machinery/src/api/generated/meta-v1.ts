// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

/** Quantity is a fixed-point representation of a number. */
export type QuantityString = string;

/** APIGroup contains the name, the supported versions, and the preferred version of a group. */
export interface APIGroup {
  apiVersion: "v1";
  kind: "APIGroup";
  /** name is the name of the group. */
  name: string;
  /** preferredVersion is the version preferred by the API server, which probably is the storage version. */
  preferredVersion?: GroupVersionForDiscovery;
  /** a map of client CIDR to server address that is serving this group. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
  /** versions are the versions supported in this group. */
  versions: GroupVersionForDiscovery[];
}

/** APIGroupList is a list of APIGroup, to allow clients to discover the API at /apis. */
export interface APIGroupList {
  apiVersion: "v1";
  kind: "APIGroupList";
  /** groups is a list of APIGroup. */
  groups: APIGroup[];
}

/** APIResource specifies the name of a resource and whether it is namespaced. */
export interface APIResource {
  /** kind is the kind for the resource (e.g. 'Foo' is the kind for a resource 'foo') */
  kind: string;
  /** categories is a list of the grouped resources this resource belongs to (e.g. 'all') */
  categories?: string[];
  /** group is the preferred group of the resource. */
  group?: string;
  /** name is the plural name of the resource. */
  name: string;
  /** namespaced indicates if a resource is namespaced or not. */
  namespaced: boolean;
  /** shortNames is a list of suggested short names of the resource. */
  shortNames?: string[];
  /** singularName is the singular name of the resource. */
  singularName: string;
  /**
   * The hash value of the storage version, the version this resource is converted to when written to the data store.
   */
  storageVersionHash?: string;
  /**
   * verbs is a list of supported kube verbs (this includes get, list, watch, create, update, patch, delete,
   * deletecollection, and proxy)
   */
  verbs: string[];
  /** version is the preferred version of the resource. */
  version?: string;
}

/**
 * APIResourceList is a list of APIResource, it is used to expose the name of the resources supported in a specific
 * group and version, and if the resource is namespaced.
 */
export interface APIResourceList {
  apiVersion: "v1";
  kind: "APIResourceList";
  /** groupVersion is the group and version this APIResourceList is for. */
  groupVersion: string;
  /** resources contains the name of the resources and if they are namespaced. */
  resources: APIResource[];
}

/**
 * APIVersions lists the versions that are available, to allow clients to discover the API at /api, which is the root
 * path of the legacy v1 API.
 */
export interface APIVersions {
  apiVersion: "v1";
  kind: "APIVersions";
  /** a map of client CIDR to server address that is serving this group. */
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
  /** versions are the api versions that are available. */
  versions: string[];
}

/** Condition contains details for one aspect of the current state of this API Resource. */
export interface Condition {
  /** lastTransitionTime is the last time the condition transitioned from one status to another. */
  lastTransitionTime: string;
  /** message is a human readable message indicating details about the transition. */
  message: string;
  /** observedGeneration represents the .metadata.generation that the condition was set based upon. */
  observedGeneration?: number;
  /** reason contains a programmatic identifier indicating the reason for the condition's last transition. */
  reason: string;
  /** status of the condition, one of True, False, Unknown. */
  status: string;
  /** type of condition in CamelCase or in foo.example.com/CamelCase. */
  type: string;
}

/** DeleteOptions may be provided when deleting an API object. */
export interface DeleteOptions {
  /** APIVersion defines the versioned schema of this representation of an object. */
  apiVersion?: string;
  /** Kind is a string value representing the REST resource this object represents. */
  kind?: string;
  /** When present, indicates that modifications should not be persisted. */
  dryRun?: string[];
  /** The duration in seconds before the object should be deleted. */
  gracePeriodSeconds?: number;
  /**
   * if set to true, it will trigger an unsafe deletion of the resource in case the normal deletion flow fails with a
   * corrupt object error.
   */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  /**
   * Deprecated: please use the PropagationPolicy, this field will be deprecated in 1.7. Should the dependent objects be
   * orphaned.
   */
  orphanDependents?: boolean;
  /** Must be fulfilled before a deletion is carried out. */
  preconditions?: Preconditions;
  /** Whether and how garbage collection will be performed. */
  propagationPolicy?: string;
}

/**
 * FieldSelectorRequirement is a selector that contains values, a key, and an operator that relates the key and values.
 */
export interface FieldSelectorRequirement {
  /** key is the field selector key that the requirement applies to. */
  key: string;
  /** operator represents a key's relationship to a set of values. */
  operator: string;
  /** values is an array of string values. */
  values?: string[];
}

/** FieldsV1 stores a set of fields in a data structure like a Trie, in JSON format. */
export type FieldsV1 = Record<string, unknown>;

/** GroupVersion contains the "group/version" and "version" string of a version. */
export interface GroupVersionForDiscovery {
  /** groupVersion specifies the API group and version in the form "group/version" */
  groupVersion: string;
  /** version specifies the version in the form of "version". */
  version: string;
}

/** A label selector is a label query over a set of resources. */
export interface LabelSelector {
  /** matchExpressions is a list of label selector requirements. */
  matchExpressions?: LabelSelectorRequirement[];
  /** matchLabels is a map of {key,value} pairs. */
  matchLabels?: Record<string, string>;
}

/**
 * A label selector requirement is a selector that contains values, a key, and an operator that relates the key and
 * values.
 */
export interface LabelSelectorRequirement {
  /** key is the label key that the selector applies to. */
  key: string;
  /** operator represents a key's relationship to a set of values. */
  operator: string;
  /** values is an array of string values. */
  values?: string[];
}

/** ListMeta describes metadata that synthetic resources must have, including lists and various status objects. */
export interface ListMeta {
  /**
   * continue may be set if the user set a limit on the number of items returned, and indicates that the server has more
   * data available.
   */
  continue?: string;
  /** remainingItemCount is the number of subsequent items in the list which are not included in this list response. */
  remainingItemCount?: number;
  /**
   * String that identifies the server's internal version of this object that can be used by clients to determine when
   * objects have changed.
   */
  resourceVersion?: string;
  /** Deprecated: selfLink is a legacy read-only field that is no longer populated by the system. */
  selfLink?: string;
  /**
   * shardInfo is set when the list is a filtered subset of the full collection, as selected by a shard selector on the
   * request.
   */
  shardInfo?: ShardInfo;
}

/**
 * ManagedFieldsEntry is a workflow-id, a FieldSet and the group version of the resource that the fieldset applies to.
 */
export interface ManagedFieldsEntry {
  /** APIVersion defines the version of this resource that this field set applies to. */
  apiVersion?: string;
  /** FieldsType is the discriminator for the different fields format and version. */
  fieldsType?: string;
  /** FieldsV1 holds the first JSON version format as described in the "FieldsV1" type. */
  fieldsV1?: FieldsV1;
  /** Manager is an identifier of the workflow managing these fields. */
  manager?: string;
  /** Operation is the type of operation which lead to this ManagedFieldsEntry being created. */
  operation?: string;
  /**
   * Subresource is the name of the subresource used to update that object, or empty string if the object was updated
   * through the main resource.
   */
  subresource?: string;
  /** Time is the timestamp of when the ManagedFields entry was added. */
  time?: string;
}

/** MicroTime is version of Time with microsecond level precision. */
export type MicroTime = string;

/** ObjectMeta is metadata that all persisted resources must have, which includes all objects users must create. */
export interface ObjectMeta {
  /**
   * Annotations is an unstructured key value map stored with a resource that may be set by external tools to store and
   * retrieve arbitrary metadata.
   */
  annotations?: Record<string, string>;
  /** CreationTimestamp is a timestamp representing the server time when this object was created. */
  creationTimestamp?: string;
  /** Number of seconds allowed for this object to gracefully terminate before it will be removed from the system. */
  deletionGracePeriodSeconds?: number;
  /** DeletionTimestamp is RFC 3339 date and time at which this resource will be deleted. */
  deletionTimestamp?: string;
  /** Must be empty before the object is deleted from the registry. */
  finalizers?: string[];
  /**
   * GenerateName is an optional prefix, used by the server, to generate a unique name ONLY IF the Name field has not
   * been provided.
   */
  generateName?: string;
  /** A sequence number representing a specific generation of the desired state. */
  generation?: number;
  /** Map of string keys and values that can be used to organize and categorize (scope and select) objects. */
  labels?: Record<string, string>;
  /** ManagedFields maps workflow-id and version to the set of fields that are managed by that workflow. */
  managedFields?: ManagedFieldsEntry[];
  /** Name must be unique within a namespace. */
  name?: string;
  /** Namespace defines the space within which each name must be unique. */
  namespace?: string;
  /** List of objects depended by this object. */
  ownerReferences?: OwnerReference[];
  /**
   * An opaque value that represents the internal version of this object that can be used by clients to determine when
   * objects have changed.
   */
  resourceVersion?: string;
  /** Deprecated: selfLink is a legacy read-only field that is no longer populated by the system. */
  selfLink?: string;
  /** UID is the unique in time and space value for this object. */
  uid?: string;
}

/** OwnerReference contains enough information to let you identify an owning object. */
export interface OwnerReference {
  /** API version of the referent. */
  apiVersion: string;
  /** Kind of the referent. */
  kind: string;
  /**
   * If true, AND if the owner has the "foregroundDeletion" finalizer, then the owner cannot be deleted from the
   * key-value store until this reference is removed.
   */
  blockOwnerDeletion?: boolean;
  /** If true, this reference points to the managing controller. */
  controller?: boolean;
  /** Name of the referent. */
  name: string;
  /** UID of the referent. */
  uid: string;
}

/** Patch is provided to give a concrete name and type to the Kubernetes PATCH request body. */
export type Patch = Record<string, unknown>;

/** Preconditions must be fulfilled before an operation (update, delete, etc.) is carried out. */
export interface Preconditions {
  /** Specifies the target ResourceVersion */
  resourceVersion?: string;
  /** Specifies the target UID. */
  uid?: string;
}

/**
 * ServerAddressByClientCIDR helps the client to determine the server address that they should use, depending on the
 * clientCIDR that they match.
 */
export interface ServerAddressByClientCIDR {
  /** The CIDR with which clients can match their IP to figure out the server address that they should use. */
  clientCIDR: string;
  /** Address of this server, suitable for a client that matches the above CIDR. */
  serverAddress: string;
}

/** ShardInfo describes the shard selector that was applied to produce a list response. */
export interface ShardInfo {
  /**
   * selector is the shard selector string from the request, echoed back so clients can verify which shard they received
   * and merge responses from multiple shards.
   */
  selector: string;
}

/** Status is a return value for calls that don't return other objects. */
export interface Status {
  apiVersion: "v1";
  kind: "Status";
  /** Standard list metadata. */
  metadata?: ListMeta;
  /** Suggested HTTP return code for this status, 0 if not set. */
  code?: number;
  /** Extended data associated with the reason. */
  details?: StatusDetails;
  /** A human-readable description of the status of this operation. */
  message?: string;
  /** A machine-readable description of why this operation is in the "Failure" status. */
  reason?: string;
  /** Status of the operation. */
  status?: string;
}

/**
 * StatusCause provides more information about an api.Status failure, including cases when multiple errors are
 * encountered.
 */
export interface StatusCause {
  /** The field of the resource that has caused this error, as named by its JSON serialization. */
  field?: string;
  /** A human-readable description of the cause of the error. */
  message?: string;
  /** A machine-readable description of the cause of the error. */
  reason?: string;
}

/**
 * StatusDetails is a set of additional properties that MAY be set by the server to provide additional information about
 * a response.
 */
export interface StatusDetails {
  /** The kind attribute of the resource associated with the status StatusReason. */
  kind?: string;
  /** The Causes array includes more details associated with the StatusReason failure. */
  causes?: StatusCause[];
  /** The group attribute of the resource associated with the status StatusReason. */
  group?: string;
  /**
   * The name attribute of the resource associated with the status StatusReason (when there is a single name which can
   * be described).
   */
  name?: string;
  /** If specified, the time in seconds before the operation should be retried. */
  retryAfterSeconds?: number;
  /** UID of the resource. (when there is a single resource which can be described). */
  uid?: string;
}

/** Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON. */
export type Time = string;

/** Event represents a single event to a watched resource. */
export interface WatchEvent {
  /**
   * Object is: * If Type is Added or Modified: the new state of the object. * If Type is Deleted: the state of the
   * object immediately before deletion. * If Type is Error: *Status is recommended; other types may make sense
   * depending on context.
   */
  object: RawExtension;
  type: string;
}

/** RawExtension is used to hold extensions in external versions. */
export type RawExtension = unknown;

/** IntOrString is a type that can hold an int32 or a string. */
export type IntOrString = number | string;

/** Info contains versioning information. how we'll want to distribute that information. */
export interface VersionInfo {
  buildDate: string;
  compiler: string;
  /** EmulationMajor is the major version of the emulation version */
  emulationMajor?: string;
  /** EmulationMinor is the minor version of the emulation version */
  emulationMinor?: string;
  gitCommit: string;
  gitTreeState: string;
  gitVersion: string;
  goVersion: string;
  /** Major is the major version of the binary version */
  major: string;
  /** MinCompatibilityMajor is the major version of the minimum compatibility version */
  minCompatibilityMajor?: string;
  /** MinCompatibilityMinor is the minor version of the minimum compatibility version */
  minCompatibilityMinor?: string;
  /** Minor is the minor version of the binary version */
  minor: string;
  platform: string;
}
