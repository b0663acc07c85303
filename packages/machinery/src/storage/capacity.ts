/** Of CSIStorageCapacity objects, by which each provisioner finds its own. */
export const capacityLabels = {
  driverName: "csi.storage.k8s.io/drivername",
  /** `external-provisioner`, with the node's name behind it when deployed on each node. */
  managedBy: "csi.storage.k8s.io/managed-by",
} as const;

/** What the names of CSIStorageCapacity objects begin with. */
export const capacityNamePrefix = "csisc-";

/** The value of the label `managedBy`. */
export const capacityManager = "external-provisioner";
