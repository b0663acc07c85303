import { localCSIDriver } from "@stowage/machinery";
import { withTokenMinter } from "@stowage/operator";
import { driversNamespace } from "../names.ts";
import { detectorControllers } from "../problem-detector/index.ts";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";

const awsEbs: DriverOperatorEntry = {
  id: "aws-ebs",
  driverName: "ebs.csi.aws.com",
  conditionPrefix: "AWSEBS",
  operatorName: "aws-ebs-csi-driver-operator",
  platform: "AWS",
  assets: new URL("../assets/csidriveroperators/aws-ebs/", import.meta.url),
  images: { OPERATOR_IMAGE: "AWS_EBS_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "AWS_EBS_DRIVER_IMAGE" },
  // Which of the cluster's feature gates are those of this version.
  handsOn: ["OPERATOR_IMAGE_VERSION"],
  hosted: {
    // It tags volumes, as the driver itself would.
    hooks: ({ HYPERSHIFT_IMAGE: image }) => [
      withTokenMinter({ image, namespace: driversNamespace, serviceAccount: "aws-ebs-csi-driver-controller-sa" }),
    ],
  },
};

const awsEfs: DriverOperatorEntry = {
  id: "aws-efs",
  driverName: "efs.csi.aws.com",
  conditionPrefix: "AWSEFS",
  operatorName: "aws-efs-csi-driver-operator",
  platform: "AWS",
  isOptional: true,
  assets: new URL("../assets/csidriveroperators/aws-efs/", import.meta.url),
  images: { OPERATOR_IMAGE: "AWS_EFS_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "AWS_EFS_DRIVER_IMAGE" },
  // The roles that controller and nodes take on, where nobody gives out keys.
  handsOn: ["ROLEARN", "NODE_ROLEARN"],
};

const gcpFilestore: DriverOperatorEntry = {
  id: "gcp-filestore",
  driverName: "filestore.csi.storage.gke.io",
  conditionPrefix: "GCPFilestore",
  operatorName: "gcp-filestore-csi-driver-operator",
  platform: "GCP",
  isOptional: true,
  assets: new URL("../assets/csidriveroperators/gcp-filestore/", import.meta.url),
  images: { OPERATOR_IMAGE: "GCP_FILESTORE_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "GCP_FILESTORE_DRIVER_IMAGE" },
  // The pool of identities, where nobody gives out keys.
  handsOn: ["POOL_ID", "PROJECT_NUMBER", "PROVIDER_ID", "SERVICE_ACCOUNT_EMAIL"],
};

const gcpPd: DriverOperatorEntry = {
  id: "gcp-pd",
  driverName: "pd.csi.storage.gke.io",
  conditionPrefix: "GCPPD",
  operatorName: "gcp-pd-csi-driver-operator",
  platform: "GCP",
  assets: new URL("../assets/csidriveroperators/gcp-pd/", import.meta.url),
  images: { OPERATOR_IMAGE: "GCP_PD_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "GCP_PD_DRIVER_IMAGE" },
};

/** Puts a driver's credentials into the cloud's configuration: see the drivers of Azure. */
const injectorImage = {
  CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE: "CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE",
};

const azureDisk: DriverOperatorEntry = {
  id: "azure-disk",
  driverName: "disk.csi.azure.com",
  conditionPrefix: "AzureDisk",
  operatorName: "azure-disk-csi-driver-operator",
  platform: "Azure",
  assets: new URL("../assets/csidriveroperators/azure-disk/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "AZURE_DISK_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "AZURE_DISK_DRIVER_IMAGE",
    ...injectorImage,
  },
  // The certificate that Azure's own service gives to the driver.
  hosted: { handsOn: ["ARO_HCP_SECRET_PROVIDER_CLASS_FOR_DISK"] },
};

const azureFile: DriverOperatorEntry = {
  id: "azure-file",
  driverName: "file.csi.azure.com",
  conditionPrefix: "AzureFile",
  operatorName: "azure-file-csi-driver-operator",
  platform: "Azure",
  // Azure Stack Hub has no such service. Where somebody has the driver all the same, it is looked after.
  statusFilter: ({ platformStatus }, isInstalled) =>
    isInstalled || platformStatus.azure?.cloudName !== "AzureStackCloud",
  assets: new URL("../assets/csidriveroperators/azure-file/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "AZURE_FILE_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "AZURE_FILE_DRIVER_IMAGE",
    ...injectorImage,
  },
  // The certificate that Azure's own service gives to the driver.
  hosted: { handsOn: ["ARO_HCP_SECRET_PROVIDER_CLASS_FOR_FILE"] },
};

const ibmVpcBlock: DriverOperatorEntry = {
  id: "ibm-vpc-block",
  driverName: "vpc.block.csi.ibm.io",
  conditionPrefix: "IBMVPCBlock",
  operatorName: "ibm-vpc-block-csi-driver-operator",
  platform: "IBMCloud",
  // Where IBM runs the control plane, IBM brings the driver too.
  statusFilter: ({ controlPlaneTopology }, isInstalled) => isInstalled || controlPlaneTopology !== "External",
  assets: new URL("../assets/csidriveroperators/ibm-vpc-block/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "IBM_VPC_BLOCK_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "IBM_VPC_BLOCK_DRIVER_IMAGE",
  },
};

const openstackCinder: DriverOperatorEntry = {
  id: "openstack-cinder",
  driverName: "cinder.csi.openstack.org",
  conditionPrefix: "OpenStackCinder",
  operatorName: "openstack-cinder-csi-driver-operator",
  platform: "OpenStack",
  assets: new URL("../assets/csidriveroperators/openstack-cinder/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "OPENSTACK_CINDER_DRIVER_IMAGE",
  },
};

const openstackManila: DriverOperatorEntry = {
  id: "openstack-manila",
  driverName: "manila.csi.openstack.org",
  conditionPrefix: "Manila",
  operatorName: "manila-csi-driver-operator",
  platform: "OpenStack",
  assets: new URL("../assets/csidriveroperators/openstack-manila/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "MANILA_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "MANILA_DRIVER_IMAGE",
    NFS_DRIVER_IMAGE: "MANILA_NFS_DRIVER_IMAGE",
  },
  // Not every cloud has Manila.
  allowsDisabled: true,
};

const local: DriverOperatorEntry = {
  id: "local",
  driverName: localCSIDriver,
  conditionPrefix: "Local",
  operatorName: "stowage-local-csi-driver-operator",
  platform: "External",
  // Volumes on the nodes' own disks are never what a cluster gets unasked.
  statusFilter: ({ isLocal }) => isLocal,
  assets: new URL("../assets/csidriveroperators/local/", import.meta.url),
  images: { OPERATOR_IMAGE: "LOCAL_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "LOCAL_DRIVER_IMAGE" },
};

const powervsBlock: DriverOperatorEntry = {
  id: "powervs-block",
  driverName: "powervs.csi.ibm.com",
  conditionPrefix: "PowerVSBlock",
  operatorName: "powervs-block-csi-driver-operator",
  platform: "PowerVS",
  assets: new URL("../assets/csidriveroperators/powervs-block/", import.meta.url),
  // The names that release payloads have for them, unlike those of all others.
  images: {
    OPERATOR_IMAGE: "POWERVS_BLOCK_CSI_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "POWERVS_BLOCK_CSI_DRIVER_IMAGE",
  },
};

const smb: DriverOperatorEntry = {
  id: "smb",
  driverName: "smb.csi.k8s.io",
  conditionPrefix: "Samba",
  operatorName: "smb-csi-driver-operator",
  platform: "AllPlatforms",
  isOptional: true,
  assets: new URL("../assets/csidriveroperators/smb/", import.meta.url),
  images: { OPERATOR_IMAGE: "SMB_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "SMB_DRIVER_IMAGE" },
};

const vmwareVsphere: DriverOperatorEntry = {
  id: "vmware-vsphere",
  driverName: "csi.vsphere.vmware.com",
  conditionPrefix: "VSphere",
  operatorName: "vmware-vsphere-csi-driver-operator",
  platform: "VSphere",
  assets: new URL("../assets/csidriveroperators/vmware-vsphere/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "VMWARE_VSPHERE_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "VMWARE_VSPHERE_DRIVER_IMAGE",
    VMWARE_VSPHERE_SYNCER_IMAGE: "VMWARE_VSPHERE_SYNCER_IMAGE",
  },
  // Which of the cluster's feature gates are those of this version.
  handsOn: ["OPERATOR_IMAGE_VERSION"],
  // vCenter may be out of reach, or its driver taken away.
  allowsDisabled: true,
  ownControllers: detectorControllers,
};

/** Every driver whose operator the storage operator can start. */
export const driverOperators: readonly DriverOperatorEntry[] = [
  awsEbs,
  awsEfs,
  azureDisk,
  azureFile,
  gcpFilestore,
  gcpPd,
  ibmVpcBlock,
  local,
  openstackCinder,
  openstackManila,
  powervsBlock,
  smb,
  vmwareVsphere,
];
