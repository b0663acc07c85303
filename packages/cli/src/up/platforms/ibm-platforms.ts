import { described, driver, SIMULATED, smbStandIn } from "./platform-parts.ts";
import type { UpPlatform } from "./up-platform.ts";

export const ibm: UpPlatform = {
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
      ...smbStandIn,
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

export const powervs: UpPlatform = {
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
      ...smbStandIn,
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
