import { localCSIDriver } from "@stowage/machinery";
import type { PlatformId } from "./platform-ids.ts";
import type { InstalledConfigMap, PlatformDescription, PlatformDriver, UpPlatform } from "./up-platform.ts";
import { vcenterInventory } from "./vcenter/inventory.ts";
import { startSimulatedVCenter } from "./vcenter/simulated-vcenter.ts";

/** In every value that a cloud would check: whoever finds one is to know what it is. */
const SIMULATED = "simulated-by-stowage-up";
const configNamespace = "openshift-config";
const cloudConfig = { name: "cloud-provider-config", key: "config" };

function driver(name: string, prefix: string, nodeName = `${prefix}-node`): PlatformDriver {
  return { name, operatorName: `${prefix}-operator`, nodeName };
}

function installed(name: string, config: string, more: Readonly<Record<string, string>> = {}): InstalledConfigMap {
  return { namespace: configNamespace, name, data: { config, ...more } };
}

function described(
  platformStatus: PlatformDescription["platformStatus"],
  spec: PlatformDescription["spec"] = {},
): PlatformDescription {
  const { type } = platformStatus;
  return { spec: { platformSpec: { type }, ...spec }, platformStatus };
}

/** `node-3` is the third; ids of clouds have numbers of a fixed length. */
function numberOf(nodeName: string, digits: number): string {
  return (/\d+$/u.exec(nodeName)?.[0] ?? "0").padStart(digits, "0");
}

const local: UpPlatform = {
  id: "local",
  driver: driver(localCSIDriver, "stowage-local-csi-driver"),
  // This one is nobody's cloud, and its volumes are on the nodes' own disks.
  infrastructure: {
    spec: { platformSpec: { type: "External", external: { platformName: "local" } } },
    platformStatus: { type: "External" },
  },
};

const aws: UpPlatform = {
  id: "aws",
  driver: driver("ebs.csi.aws.com", "aws-ebs-csi-driver"),
  infrastructure: described({ type: "AWS", aws: { region: "eu-central-1" } }),
  simulation: {
    standIns: {
      "aws-ebs-csi-driver": {
        driverName: "ebs.csi.aws.com",
        abilities: ["attach", "expand", "snapshots", "clones", "modify"],
        topology: { "topology.ebs.csi.aws.com/zone": "eu-central-1a" },
      },
    },
    region: "eu-central-1",
    zone: "eu-central-1a",
    providerId: (nodeName) => `aws:///eu-central-1a/i-${numberOf(nodeName, 17)}`,
    credentialsKind: "AWSProviderSpec",
    credentials: () => ({ aws_access_key_id: SIMULATED, aws_secret_access_key: SIMULATED }),
    configMaps: () => [],
  },
};

const azure: UpPlatform = {
  id: "azure",
  driver: driver("disk.csi.azure.com", "azure-disk-csi-driver"),
  infrastructure: described({ type: "Azure", azure: { cloudName: "AzurePublicCloud" } }, { cloudConfig }),
  simulation: {
    standIns: {
      "azure-disk-csi-driver": {
        driverName: "disk.csi.azure.com",
        abilities: ["attach", "expand", "snapshots", "clones", "modify"],
        topology: { "topology.disk.csi.azure.com/zone": "westeurope-1" },
      },
      // By now the driver can modify volumes, but OpenShift's roles do not let its resizer read the classes for that.
      "azure-file-csi-driver": { driverName: "file.csi.azure.com", abilities: ["expand", "snapshots", "clones"] },
      // Puts the credentials into the cloud's configuration, which no stand-in reads.
      "cluster-cloud-controller-manager-operator": { driverName: undefined },
    },
    region: "westeurope",
    zone: "westeurope-1",
    providerId: (nodeName) =>
      "azure:///subscriptions/simulated/resourceGroups/stowage/providers/Microsoft.Compute/virtualMachines/" + nodeName,
    credentialsKind: "AzureProviderSpec",
    credentials: () => ({ azure_client_id: SIMULATED, azure_client_secret: SIMULATED, azure_tenant_id: SIMULATED }),
    configMaps: () => [installed(cloudConfig.name, "{}")],
  },
};

const gcp: UpPlatform = {
  id: "gcp",
  driver: driver("pd.csi.storage.gke.io", "gcp-pd-csi-driver"),
  infrastructure: described({ type: "GCP", gcp: { projectID: "stowage", region: "europe-west3" } }),
  simulation: {
    standIns: {
      "gcp-pd-csi-driver": {
        driverName: "pd.csi.storage.gke.io",
        abilities: ["attach", "expand", "snapshots", "clones", "modify"],
        topology: { "topology.gke.io/zone": "europe-west3-a" },
      },
    },
    region: "europe-west3",
    zone: "europe-west3-a",
    providerId: (nodeName) => `gce://stowage/europe-west3-a/${nodeName}`,
    credentialsKind: "GCPProviderSpec",
    credentials: () => ({ "service_account.json": JSON.stringify({ type: SIMULATED }) }),
    configMaps: () => [],
  },
};

const ibm: UpPlatform = {
  id: "ibm",
  driver: driver("vpc.block.csi.ibm.io", "ibm-vpc-block-csi-driver", "ibm-vpc-block-csi-node"),
  infrastructure: described({ type: "IBMCloud" }),
  simulation: {
    standIns: {
      "ibm-vpc-block-csi-driver": {
        driverName: "vpc.block.csi.ibm.io",
        abilities: ["attach", "expand", "snapshots"],
        topology: {
          "failure-domain.beta.kubernetes.io/region": "eu-de",
          "failure-domain.beta.kubernetes.io/zone": "eu-de-1",
        },
      },
    },
    region: "eu-de",
    zone: "eu-de-1",
    providerId: (nodeName) => `ibm://simulated///stowage/${nodeName}`,
    credentialsKind: "IBMCloudProviderSpec",
    credentials: () => ({ ibmcloud_api_key: SIMULATED }),
    configMaps: (cloudUrl) => [
      {
        namespace: "openshift-cloud-controller-manager",
        name: "cloud-conf",
        data: { "cloud.conf": ibmConfiguration(cloudUrl) },
      },
    ],
  },
};

function ibmConfiguration(cloudUrl: string): string {
  const overrides = ["iam", "rm", "g2"].map((service) => `${service}EndpointOverride = ${cloudUrl}`);
  const lines = [
    "[provider]",
    "accountID = simulated",
    "region = eu-de",
    "g2ResourceGroupName = stowage",
    ...overrides,
  ];
  return `${lines.join("\n")}\n`;
}

const openstack: UpPlatform = {
  id: "openstack",
  driver: driver("cinder.csi.openstack.org", "openstack-cinder-csi-driver"),
  infrastructure: described({ type: "OpenStack" }, { cloudConfig }),
  simulation: {
    standIns: {
      "openstack-cinder-csi-driver": {
        driverName: "cinder.csi.openstack.org",
        abilities: ["attach", "expand", "snapshots", "clones"],
      },
    },
    region: "RegionOne",
    zone: "nova",
    providerId: (nodeName) => `openstack:///00000000-0000-4000-8000-${numberOf(nodeName, 12)}`,
    credentialsKind: "OpenStackProviderSpec",
    // A file of YAML may as well be JSON.
    credentials: (cloudUrl) => {
      const auth = { auth_url: cloudUrl, username: SIMULATED, password: SIMULATED, project_name: "stowage" };
      return { "clouds.yaml": JSON.stringify({ clouds: { openstack: { region_name: "RegionOne", auth } } }) };
    },
    configMaps: () => [
      installed(cloudConfig.name, ""),
      // There is one zone, and nobody to ask for it.
      installed("cinder-csi-config", "", { enable_topology: "false" }),
    ],
  },
};

const powervs: UpPlatform = {
  id: "powervs",
  driver: driver("powervs.csi.ibm.com", "powervs-block-csi-driver", "ibm-powervs-block-csi-driver-node"),
  infrastructure: described({ type: "PowerVS", powervs: { region: "eu-de", zone: "eu-de-1" } }),
  simulation: {
    standIns: {
      "ibm-powervs-block-csi-driver": {
        driverName: "powervs.csi.ibm.com",
        abilities: ["attach", "expand", "clones"],
        topology: { "topology.powervs.csi.ibm.com/disk-type": "tier1" },
      },
    },
    region: "eu-de",
    zone: "eu-de-1",
    // All machines of this cloud are such, and the driver's Pods look for it. No program here minds.
    nodeLabels: { "kubernetes.io/arch": "ppc64le" },
    providerId: (nodeName) => `ibmpowervs://eu-de/eu-de-1/simulated/${nodeName}`,
    credentialsKind: "IBMCloudPowerVSProviderSpec",
    credentials: () => ({ ibmcloud_api_key: SIMULATED }),
    configMaps: () => [],
  },
};

const vsphere: UpPlatform = {
  id: "vsphere",
  driver: driver("csi.vsphere.vmware.com", "vmware-vsphere-csi-driver"),
  infrastructure: described({ type: "VSphere" }, { cloudConfig }),
  simulation: {
    standIns: {
      "vsphere-csi-driver": {
        driverName: "csi.vsphere.vmware.com",
        abilities: ["attach", "expand", "snapshots"],
      },
      // Tells vCenter what Kubernetes has, and, in another Pod, is a webhook that our API server does not call.
      "vsphere-csi-driver-syncer": { driverName: undefined, runsOn: true },
      // Looks for what is wrong with a vCenter.
      "vsphere-problem-detector": { driverName: undefined, runsOn: true },
    },
    startCloud: startSimulatedVCenter,
    region: "stowage",
    zone: "stowage-a",
    providerId: (nodeName) => `vsphere://00000000-0000-4000-8000-${numberOf(nodeName, 12)}`,
    credentialsKind: "VSphereProviderSpec",
    credentials(cloudUrl) {
      const { hostname } = new URL(cloudUrl);
      return { [`${hostname}.username`]: SIMULATED, [`${hostname}.password`]: SIMULATED };
    },
    configMaps: (cloudUrl) => [installed(cloudConfig.name, vsphereConfiguration(cloudUrl))],
  },
};

function vsphereConfiguration(cloudUrl: string): string {
  const { hostname, port } = new URL(cloudUrl);
  const { datacenter, datastore } = vcenterInventory;
  const lines = [
    "[Global]",
    // Whose certificate is nobody's.
    "insecure-flag = true",
    `[VirtualCenter "${hostname}"]`,
    `port = "${port}"`,
    `datacenters = "${datacenter}"`,
    "[Workspace]",
    `server = "${hostname}"`,
    `datacenter = "${datacenter}"`,
    `default-datastore = "${datastore}"`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What `stowage up` can be on. */
export const upPlatforms: Readonly<Record<PlatformId, UpPlatform>> = {
  local,
  aws,
  azure,
  gcp,
  ibm,
  openstack,
  powervs,
  vsphere,
};
