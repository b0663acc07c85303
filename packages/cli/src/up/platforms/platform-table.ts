import { localCSIDriver } from "@stowage/machinery";
import { ibm, powervs } from "./ibm-platforms.ts";
import { openstack } from "./openstack-platform.ts";
import type { PlatformId } from "./platform-ids.ts";
import { cloudConfig, described, driver, installed, numberOf, SIMULATED, smbStandIn } from "./platform-parts.ts";
import type { UpPlatform } from "./up-platform.ts";
import { vsphere } from "./vsphere-platform.ts";

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
      // It makes access points of file systems that are there, and nothing else.
      "aws-efs-csi-driver": { driverName: "efs.csi.aws.com" },
      ...smbStandIn,
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
      ...smbStandIn,
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
      // As with Azure Files: it can modify volumes by now, and the roles do not let its resizer read the classes.
      "gcp-filestore-csi-driver": {
        driverName: "filestore.csi.storage.gke.io",
        abilities: ["expand", "snapshots"],
        topology: { "topology.gke.io/zone": "europe-west3-a" },
      },
      ...smbStandIn,
    },
    region: "europe-west3",
    zone: "europe-west3-a",
    providerId: (nodeName) => `gce://stowage/europe-west3-a/${nodeName}`,
    credentialsKind: "GCPProviderSpec",
    credentials: () => ({ "service_account.json": JSON.stringify({ type: SIMULATED }) }),
    configMaps: () => [],
  },
};

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
