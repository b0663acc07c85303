export const platformTypes = [
  "",
  "AWS",
  "Azure",
  "BareMetal",
  "GCP",
  "Libvirt",
  "OpenStack",
  "None",
  "VSphere",
  "oVirt",
  "IBMCloud",
  "KubeVirt",
  "EquinixMetal",
  "PowerVS",
  "AlibabaCloud",
  "Nutanix",
  "External",
] as const;

/** Empty until somebody says. */
export type PlatformType = (typeof platformTypes)[number];

/** What the cluster runs on. `type` says which of the others counts; `Libvirt` and `None` have none. */
export interface PlatformStatus {
  type?: PlatformType;
  aws?: AWSPlatformStatus;
  azure?: AzurePlatformStatus;
  gcp?: GCPPlatformStatus;
  baremetal?: NetworkedPlatformStatus;
  openstack?: OpenStackPlatformStatus;
  ovirt?: OnPremisePlatformStatus;
  vsphere?: NetworkedPlatformStatus;
  ibmcloud?: IBMCloudPlatformStatus;
  kubevirt?: AddressedPlatformStatus;
  equinixMetal?: AddressedPlatformStatus;
  powervs?: PowerVSPlatformStatus;
  alibabaCloud?: AlibabaCloudPlatformStatus;
  nutanix?: NutanixPlatformStatus;
  external?: ExternalPlatformStatus;
}

/** Where a service of the cloud is, when not at its usual place. */
export interface CloudServiceEndpoint {
  name: string;
  url: string;
}

/** Put on everything that is made in the cloud for this cluster. */
export interface ResourceTag {
  key: string;
  value: string;
}

export interface AWSPlatformStatus {
  region?: string;
  serviceEndpoints?: CloudServiceEndpoint[];
  /** May change at any time. */
  resourceTags?: ResourceTag[];
  cloudLoadBalancerConfig?: CloudLoadBalancerConfig | null;
  ipFamily?: (typeof ipFamilies)[number];
}

export const ipFamilies = ["IPv4", "DualStackIPv6Primary", "DualStackIPv4Primary"] as const;

export interface AzurePlatformStatus {
  resourceGroupName?: string;
  networkResourceGroupName?: string;
  cloudName?: AzureCloudEnvironment;
  /** Of Azure Stack Hub. */
  armEndpoint?: string;
  /** Set at installation, for good. */
  resourceTags?: ResourceTag[];
  cloudLoadBalancerConfig?: CloudLoadBalancerConfig;
}

/** `AzureStackCloud` is Azure Stack Hub. */
export type AzureCloudEnvironment = (typeof azureClouds)[number];

export const azureClouds = [
  "",
  "AzurePublicCloud",
  "AzureUSGovernmentCloud",
  "AzureChinaCloud",
  "AzureGermanCloud",
  "AzureStackCloud",
  "AzureUSSecCloud",
] as const;

export interface GCPPlatformStatus {
  projectID?: string;
  region?: string;
  /** Set at installation, for good. */
  resourceLabels?: ResourceTag[];
  /** Set at installation, for good. */
  resourceTags?: GCPResourceTag[];
  cloudLoadBalancerConfig?: CloudLoadBalancerConfig | null;
}

export interface GCPResourceTag extends ResourceTag {
  /** The organization or project that the tag is defined in. */
  parentID: string;
}

export interface CloudLoadBalancerConfig {
  dnsType?: (typeof dnsTypes)[number];
  clusterHosted?: CloudLoadBalancerIPs;
}

export const dnsTypes = ["ClusterHosted", "PlatformDefault"] as const;

export interface CloudLoadBalancerIPs {
  apiIntLoadBalancerIPs?: string[];
  apiLoadBalancerIPs?: string[];
  ingressLoadBalancerIPs?: string[];
}

export interface AddressedPlatformStatus {
  apiServerInternalIP?: string;
  ingressIP?: string;
}

/** Where no cloud balances load. */
export interface NutanixPlatformStatus extends AddressedPlatformStatus {
  apiServerInternalIPs?: string[];
  ingressIPs?: string[];
  loadBalancer?: { type?: (typeof loadBalancerTypes)[number] };
}

export const loadBalancerTypes = ["OpenShiftManagedDefault", "UserManaged"] as const;

export interface OnPremisePlatformStatus extends NutanixPlatformStatus {
  nodeDNSIP?: string;
}

export interface NetworkedPlatformStatus extends OnPremisePlatformStatus {
  machineNetworks?: string[];
}

export interface OpenStackPlatformStatus extends NetworkedPlatformStatus {
  /** The cloud in `clouds.yaml`. */
  cloudName?: string;
}

export interface IBMCloudPlatformStatus {
  location?: string;
  resourceGroupName?: string;
  /** `Classic`, `VPC` or `UPI`. */
  providerType?: string;
  cisInstanceCRN?: string;
  dnsInstanceCRN?: string;
  serviceEndpoints?: CloudServiceEndpoint[];
}

export interface PowerVSPlatformStatus {
  region?: string;
  zone?: string;
  resourceGroup?: string;
  serviceEndpoints?: CloudServiceEndpoint[];
  cisInstanceCRN?: string;
  dnsInstanceCRN?: string;
}

export interface AlibabaCloudPlatformStatus {
  region: string;
  resourceGroupID?: string;
  resourceTags?: ResourceTag[];
}

/** The name of the platform is in the spec: see `ExternalPlatformSpec`. */
export interface ExternalPlatformStatus {
  cloudControllerManager?: { state?: (typeof cloudControllerManagerStates)[number] };
}

export const cloudControllerManagerStates = ["", "External", "None"] as const;
