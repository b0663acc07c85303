/** Names that clusters know: renaming one leaves the old object behind. */
export const storageOperatorName = "cluster-storage-operator";
export const storageOperatorNamespace = "openshift-cluster-storage-operator";
/** Of the cluster's own configuration. */
export const configNamespace = "openshift-config";
/** In it: whether Pods share volumes in a way that a later version does not allow. */
export const selinuxConflictsName = "selinux-conflicts";
/** Of drivers and of their operators. */
export const driversNamespace = "openshift-cluster-csi-drivers";
export const storageOperatorLease = "cluster-storage-operator-lock";
export const storageClusterOperator = "storage";
/** Of the Storage, the Infrastructure and the like: there is one of each. */
export const clusterObjectName = "cluster";
