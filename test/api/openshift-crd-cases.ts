import {
  apiServers,
  cloudCredentials,
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  credentialsRequests,
  featureGates,
  infrastructures,
  type ResourceType,
  storages,
} from "@stowage/machinery";

interface Refusal {
  readonly what: string;
  readonly type: ResourceType;
  readonly name?: string;
  readonly body: object;
  readonly message: RegExp;
}

/** What a new object may not have. */
export const openshiftRefusals: readonly Refusal[] = [
  ...unknownValues(),
  { what: "an object without a spec", type: storages, body: {}, message: /spec: Required value/u },
  {
    what: "an unknown management state",
    type: storages,
    body: { spec: { managementState: "managed" } },
    message: /spec.managementState.*should match/u,
  },
  {
    what: "the driver in the Kubernetes tree",
    type: storages,
    body: { spec: { vsphereStorageDriver: "LegacyDeprecatedInTreeDriver" } },
    message: /no longer there/u,
  },
  ...driverConfigRefusals(),
  {
    what: "a ClusterVersion without the id of the cluster",
    type: clusterVersions,
    body: { spec: {} },
    message: /spec.clusterID: Required value/u,
  },
  {
    what: "an update to an image of another architecture",
    type: clusterVersions,
    body: { spec: { clusterID: "c", desiredUpdate: { architecture: "Multi", version: "1", image: "i" } } },
    message: /architecture and image do not go together/u,
  },
  {
    what: "an update to another architecture of no version",
    type: clusterVersions,
    body: { spec: { clusterID: "c", desiredUpdate: { architecture: "Multi" } } },
    message: /architecture goes with a version/u,
  },
  {
    what: "a store of signatures that is nowhere",
    type: clusterVersions,
    body: { spec: { clusterID: "c", signatureStores: [{ url: "nowhere" }] } },
    message: /url must be a whole URL/u,
  },
  {
    what: "a request for no Secret",
    type: credentialsRequests,
    body: { spec: {} },
    message: /spec.secretRef: Required value/u,
  },
  {
    what: "a gate whose name is none",
    type: featureGates,
    body: { spec: { featureSet: "CustomNoUpgrade", customNoUpgrade: { enabled: ["a b"] } } },
    message: /customNoUpgrade.enabled\[0\].*should match/u,
  },
  {
    what: "a zone of hosts without the hosts",
    type: infrastructures,
    body: { spec: { platformSpec: { vsphere: { failureDomains: [failureDomain({ type: "HostGroup" })] } } } },
    message: /hostGroup goes with type HostGroup alone/u,
  },
  {
    what: "zones of hosts in a region of datacenters",
    type: infrastructures,
    body: { spec: { platformSpec: { vsphere: { failureDomains: [failureDomain({ type: "ComputeCluster" })] } } } },
    message: /with zones that are a ComputeCluster, regions are a Datacenter/u,
  },
  {
    what: "an address that is none",
    type: infrastructures,
    body: { spec: { platformSpec: { baremetal: { ingressIPs: ["here"] } } } },
    message: /must be an IP address/u,
  },
  {
    what: "two addresses of a family",
    type: infrastructures,
    body: { spec: { platformSpec: { openstack: { apiServerInternalIPs: ["192.0.2.1", "192.0.2.2"] } } } },
    message: /at most one address of each family/u,
  },
  {
    what: "a network twice",
    type: infrastructures,
    body: { spec: { platformSpec: { vsphere: { machineNetworks: ["192.0.2.0/24", "192.0.2.0/24"] } } } },
    message: /no network twice/u,
  },
];

/** A field with a list of values, of each kind. */
function unknownValues(): Refusal[] {
  const cases: readonly [ResourceType, object, string][] = [
    [storages, { logLevel: "Loud" }, "logLevel"],
    [storages, { operatorLogLevel: "Loud" }, "operatorLogLevel"],
    [clusterCSIDrivers, { storageClassState: "Gone" }, "storageClassState"],
    [clusterCSIDrivers, { driverConfig: { driverType: "VSphere" } }, "driverType"],
    [cloudCredentials, { credentialsMode: "manual" }, "credentialsMode"],
    [infrastructures, { platformSpec: { type: "aws" } }, "platformSpec.type"],
    [apiServers, { tlsSecurityProfile: { type: "New" } }, "tlsSecurityProfile.type"],
    [apiServers, { tlsSecurityProfile: { custom: { minTLSVersion: "TLS1.2" } } }, "minTLSVersion"],
    [apiServers, { tlsAdherence: "Loose" }, "tlsAdherence"],
    [featureGates, { featureSet: "All" }, "featureSet"],
    [clusterVersions, { clusterID: "c", capabilities: { baselineCapabilitySet: "v1" } }, "baselineCapabilitySet"],
    [
      clusterVersions,
      { clusterID: "c", capabilities: { additionalEnabledCapabilities: ["storage"] } },
      "additionalEnabledCapabilities[0]",
    ],
  ];
  return cases.map(([type, spec, field]) => ({
    what: `a value that ${field} does not have`,
    type,
    ...(type.plural === "clustercsidrivers" && { name: "ebs.csi.aws.com" }),
    body: { spec },
    message: new RegExp(`${RegExp.escape(field)}: Unsupported value`, "u"),
  }));
}

function driverConfigRefusals(): Refusal[] {
  const cases: readonly [string, string, object, RegExp][] = [
    ["settings without a type", "ebs.csi.aws.com", { aws: {} }, /driverType: Required value/u],
    [
      "a key of AWS that is none",
      "ebs.csi.aws.com",
      { driverType: "AWS", aws: { kmsKeyARN: "arn:aws:s3:::bucket" } },
      /must be the ARN of a key or an alias/u,
    ],
    [
      "the type IBMCloud without its settings",
      "vpc.block.csi.ibm.io",
      { driverType: "IBMCloud" },
      /ibmcloud must be set when driverType is IBMCloud, and only then/u,
    ],
    [
      "the settings of the Secrets Store with another type",
      "secrets-store.csi.k8s.io",
      { driverType: "AWS", secretsStore: { secretRotation: { type: "None" } } },
      /secretsStore must be set when driverType is SecretsStore, and only then/u,
    ],
    [
      "the Secrets Store under another name",
      "ebs.csi.aws.com",
      { driverType: "SecretsStore", secretsStore: { secretRotation: { type: "None" } } },
      /is for secrets-store.csi.k8s.io alone/u,
    ],
    [
      "another type under the name of the Secrets Store",
      "secrets-store.csi.k8s.io",
      { driverType: "AWS" },
      /takes no other driverType/u,
    ],
    [
      "rotation of secrets that says nothing",
      "secrets-store.csi.k8s.io",
      { driverType: "SecretsStore", secretsStore: { secretRotation: { type: "Custom" } } },
      /custom must be set when type is Custom, and only then/u,
    ],
    [
      "more volumes than a node of vSphere can have",
      "csi.vsphere.vmware.com",
      { driverType: "vSphere", vSphere: { maxAllowedBlockVolumesPerNode: 256 } },
      /maxAllowedBlockVolumesPerNode.*less than or equal to 255/u,
    ],
    [
      "no snapshots at all on vSphere",
      "csi.vsphere.vmware.com",
      { driverType: "vSphere", vSphere: { globalMaxSnapshotsPerBlockVolume: 0 } },
      /globalMaxSnapshotsPerBlockVolume.*greater than or equal to 1/u,
    ],
  ];
  return cases.map(([what, name, driverConfig, message]) => ({
    what,
    type: clusterCSIDrivers,
    name,
    body: { spec: { driverConfig } },
    message,
  }));
}

function failureDomain(zoneAffinity: object): object {
  const topology = { datacenter: "d", computeCluster: "/d/host/c", networks: ["n"], datastore: "/d/datastore/s" };
  return { name: "f", region: "r", zone: "z", server: "v", topology, zoneAffinity };
}

interface Change {
  readonly what: string;
  readonly type: ResourceType;
  readonly name?: string;
  /** The status is written after the rest. */
  readonly body: object;
  readonly change: object;
  readonly subresource?: "status";
  readonly message: RegExp;
}

const condition = { type: "Available", status: "True", lastTransitionTime: "2026-01-02T03:04:05Z" };

function platformStatus(status: object): object {
  return { status: { platformStatus: status } };
}

/** What an object that exists may not become. */
export const openshiftChanges: readonly Change[] = [
  {
    what: "tokens that are managed so",
    type: clusterCSIDrivers,
    name: "secrets-store.csi.k8s.io",
    body: { spec: { driverConfig: { driverType: "SecretsStore", secretsStore: { tokenRequests: managedTokens() } } } },
    change: { spec: { driverConfig: null } },
    message: /tokenRequests that are Managed stay so/u,
  },
  {
    what: "the name of an external platform",
    type: infrastructures,
    body: { spec: { platformSpec: { type: "External", external: { platformName: "oci" } } } },
    change: { spec: { platformSpec: { external: { platformName: "other" } } } },
    message: /platformName stays as it was set/u,
  },
  {
    what: "the tags of Azure as installed",
    type: infrastructures,
    subresource: "status",
    body: { spec: {}, ...platformStatus({ azure: { resourceTags: [{ key: "k", value: "v" }] } }) },
    change: platformStatus({ azure: { resourceTags: [{ key: "k", value: "w" }] } }),
    message: /resourceTags can be set at installation only/u,
  },
  {
    what: "Google Cloud without labels when installed so",
    type: infrastructures,
    subresource: "status",
    body: { spec: {}, ...platformStatus({ gcp: { region: "r" } }) },
    change: platformStatus({ gcp: { resourceLabels: [{ key: "k", value: "v" }] } }),
    message: /resourceLabels can be set at installation only/u,
  },
  {
    what: "who the cloud controller manager is",
    type: infrastructures,
    subresource: "status",
    body: { spec: {}, ...platformStatus({ external: { cloudControllerManager: { state: "None" } } }) },
    change: platformStatus({ external: { cloudControllerManager: { state: "External" } } }),
    message: /state stays as it was set/u,
  },
  {
    what: "a feature set that cannot be left",
    type: featureGates,
    body: { spec: { featureSet: "TechPreviewNoUpgrade" } },
    change: { spec: { featureSet: "" } },
    message: /TechPreviewNoUpgrade cannot be left again/u,
  },
  {
    what: "a feature set at all",
    type: featureGates,
    body: { spec: { featureSet: "OKD" } },
    change: { spec: { featureSet: null } },
    message: /featureSet cannot be taken away/u,
  },
  {
    what: "that the TLS profile is adhered to",
    type: apiServers,
    body: { spec: { tlsAdherence: "StrictAllComponents" } },
    change: { spec: { tlsAdherence: null } },
    message: /tlsAdherence cannot be taken away/u,
  },
  {
    what: "revisions going up",
    type: storages,
    subresource: "status",
    body: { spec: {}, status: { latestAvailableRevision: 2 } },
    change: { status: { latestAvailableRevision: 1 } },
    message: /the revision only goes up/u,
  },
  {
    what: "one condition of a type",
    type: storages,
    subresource: "status",
    body: { spec: {} },
    change: { status: { conditions: [condition, condition] } },
    message: /conditions\[1\]: Duplicate value/u,
  },
  {
    what: "to conditions that are True, False or Unknown",
    type: clusterOperators,
    subresource: "status",
    body: { spec: {} },
    change: { status: { conditions: [{ ...condition, status: "true" }] } },
    message: /status: Unsupported value/u,
  },
  {
    what: "to platforms that are known",
    type: infrastructures,
    subresource: "status",
    body: { spec: {} },
    change: platformStatus({ type: "Mars" }),
    message: /platformStatus.type: Unsupported value/u,
  },
  {
    what: "to topologies that are known",
    type: infrastructures,
    subresource: "status",
    body: { spec: {} },
    change: { status: { controlPlaneTopology: "Triple" } },
    message: /controlPlaneTopology: Unsupported value/u,
  },
];

function managedTokens(): object {
  return { type: "Managed", managed: { audiences: [{ audience: "a" }] } };
}
