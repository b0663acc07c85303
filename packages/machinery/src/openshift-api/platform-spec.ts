import type { CloudServiceEndpoint, PlatformType } from "./platform-status.ts";

/** What was asked for at installation. `type` says which of the others counts. */
export interface PlatformSpec {
  type?: PlatformType;
  aws?: CloudPlatformSpec;
  azure?: Record<string, never>;
  gcp?: Record<string, never>;
  baremetal?: OnPremisePlatformSpec;
  openstack?: OnPremisePlatformSpec;
  ovirt?: Record<string, never>;
  vsphere?: VSpherePlatformSpec;
  ibmcloud?: CloudPlatformSpec;
  kubevirt?: Record<string, never>;
  equinixMetal?: Record<string, never>;
  powervs?: CloudPlatformSpec;
  alibabaCloud?: Record<string, never>;
  /** Nothing of ours reads it, and nothing of it is lost. */
  nutanix?: Record<string, unknown>;
  external?: ExternalPlatformSpec;
}

export interface CloudPlatformSpec {
  serviceEndpoints?: CloudServiceEndpoint[];
}

export interface OnPremisePlatformSpec {
  apiServerInternalIPs?: string[];
  ingressIPs?: string[];
  machineNetworks?: string[];
}

export interface ExternalPlatformSpec {
  /** Whose platform it is, such as `oci`; `Unknown` until somebody says, and then for good. */
  platformName?: string;
}

export interface VSpherePlatformSpec extends OnPremisePlatformSpec {
  vcenters?: VSphereVCenter[];
  /** By name. */
  failureDomains?: VSphereFailureDomain[];
  /** How nodes find their addresses: nothing of ours reads it. */
  nodeNetworking?: Record<string, unknown>;
}

export interface VSphereVCenter {
  server: string;
  port?: number;
  datacenters: string[];
}

export interface VSphereFailureDomain {
  name: string;
  region: string;
  zone: string;
  regionAffinity?: { type: (typeof regionAffinities)[number] };
  zoneAffinity?: VSphereZoneAffinity;
  server: string;
  topology: VSphereTopology;
}

export const regionAffinities = ["ComputeCluster", "Datacenter"] as const;

export interface VSphereZoneAffinity {
  type: (typeof zoneAffinities)[number];
  /** With `HostGroup`, and only then. */
  hostGroup?: { vmGroup: string; hostGroup: string; vmHostRule: string };
}

export const zoneAffinities = ["HostGroup", "ComputeCluster"] as const;

/** Paths in the inventory of vCenter. */
export interface VSphereTopology {
  datacenter: string;
  computeCluster: string;
  networks: string[];
  datastore: string;
  resourcePool?: string;
  folder?: string;
  template?: string;
}
