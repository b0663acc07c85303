/** The drivers that have an operator on OpenShift, whether the cluster storage operator starts it or somebody installs it. */
export const openshiftCSIDrivers = [
  "ebs.csi.aws.com",
  "efs.csi.aws.com",
  "disk.csi.azure.com",
  "file.csi.azure.com",
  "pd.csi.storage.gke.io",
  "filestore.csi.storage.gke.io",
  "cinder.csi.openstack.org",
  "manila.csi.openstack.org",
  "csi.vsphere.vmware.com",
  "vpc.block.csi.ibm.io",
  "powervs.csi.ibm.com",
  "csi.kubevirt.io",
  "csi.sharedresource.openshift.io",
  "diskplugin.csi.alibabacloud.com",
  "secrets-store.csi.k8s.io",
  "smb.csi.k8s.io",
] as const;

export const localCSIDriver = "local.csi.stowage.dev";

export const cephCSIDrivers = [
  "rbd.csi.ceph.com",
  "cephfs.csi.ceph.com",
  "nfs.csi.ceph.com",
  "nvmeof.csi.ceph.com",
] as const;

export const secretsStoreCSIDriver = "secrets-store.csi.k8s.io";

/**
 * All that are known by their whole name. Those of Ceph may have a prefix besides, since a cluster may have several of them: Rook
 * puts the namespace of its operator there.
 */
export const clusterCSIDriverNames: readonly string[] = [...openshiftCSIDrivers, localCSIDriver, ...cephCSIDrivers];

/** RE2, as CEL takes it, and a JavaScript pattern too. */
export const prefixedCephDriverPattern = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+(rbd|cephfs|nfs|nvmeof)\.csi\.ceph\.com$`;

/** Whether a ClusterCSIDriver may have the name; the API server decides the same. */
export function isClusterCSIDriverName(name: string): boolean {
  return clusterCSIDriverNames.includes(name) || new RegExp(prefixedCephDriverPattern, "u").test(name);
}
