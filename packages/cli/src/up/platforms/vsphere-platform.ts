import { cloudConfig, described, driver, installed, numberOf, SIMULATED, smbStandIn } from "./platform-parts.ts";
import type { UpPlatform } from "./up-platform.ts";
import { vcenterInventory } from "./vcenter/inventory.ts";
import { startSimulatedVCenter } from "./vcenter/simulated-vcenter.ts";

export const vsphere: UpPlatform = {
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
      ...smbStandIn,
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
