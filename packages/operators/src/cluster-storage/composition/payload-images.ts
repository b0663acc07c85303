import { stowageImage } from "../../images/usual-images.ts";

/** By variable; our own where there is none: the operators are all of one program. */
const driverImages: Readonly<Record<string, string>> = {
  AWS_EBS_DRIVER_IMAGE: "quay.io/openshift/origin-aws-ebs-csi-driver:latest",
  AWS_EFS_DRIVER_IMAGE: "quay.io/openshift/origin-aws-efs-csi-driver:latest",
  GCP_FILESTORE_DRIVER_IMAGE: "quay.io/openshift/origin-gcp-filestore-csi-driver:latest",
  GCP_PD_DRIVER_IMAGE: "quay.io/openshift/origin-gcp-pd-csi-driver:latest",
  AZURE_DISK_DRIVER_IMAGE: "quay.io/openshift/origin-azure-disk-csi-driver:latest",
  AZURE_FILE_DRIVER_IMAGE: "quay.io/openshift/origin-azure-file-csi-driver:latest",
  CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE:
    "quay.io/openshift/origin-cluster-cloud-controller-manager-operator:latest",
  IBM_VPC_BLOCK_DRIVER_IMAGE: "quay.io/openshift/origin-ibm-vpc-block-csi-driver:latest",
  OPENSTACK_CINDER_DRIVER_IMAGE: "quay.io/openshift/origin-openstack-cinder-csi-driver:latest",
  MANILA_DRIVER_IMAGE: "quay.io/openshift/origin-csi-driver-manila:latest",
  MANILA_NFS_DRIVER_IMAGE: "quay.io/openshift/origin-csi-driver-nfs:latest",
  POWERVS_BLOCK_CSI_DRIVER_IMAGE: "quay.io/openshift/origin-ibm-powervs-block-csi-driver:latest",
  SMB_DRIVER_IMAGE: "quay.io/openshift/origin-csi-driver-smb:latest",
  VMWARE_VSPHERE_DRIVER_IMAGE: "quay.io/openshift/origin-vsphere-csi-driver:latest",
  VMWARE_VSPHERE_SYNCER_IMAGE: "quay.io/openshift/origin-vsphere-csi-driver-syncer:latest",
};

export function driverImage(variable: string): string {
  return driverImages[variable] ?? stowageImage;
}
