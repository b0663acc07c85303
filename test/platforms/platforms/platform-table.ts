import type { Infrastructure } from "@stowage/machinery";
import { driversNamespace } from "@stowage/operators/cluster-storage";
import type { Clouds } from "./clouds.ts";

/** What somebody has to put there for the driver: the cloud's credentials and configuration. */
export interface GivenObject {
  readonly kind: "Secret" | "ConfigMap";
  readonly namespace: string;
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface Platform {
  readonly name: string;
  /** Those that come up there. The optional ones are asked for as an administrator does. */
  readonly drivers: readonly string[];
  /** Undefined: Kubernetes without anything of OpenShift. */
  readonly infrastructure?: Pick<Infrastructure, "spec" | "status">;
  /** Of each node; none where nobody has said what it is. */
  readonly providerIds?: (clouds: Clouds) => readonly string[];
  readonly given?: (clouds: Clouds) => readonly GivenObject[];
  /** Drivers that their operators find no use for: the cloud has nothing for them. */
  readonly disabled?: readonly string[];
}

const configNamespace = "openshift-config";
const cloudConfig = { name: "cloud-provider-config", key: "config" };

function secret(
  name: string,
  data: Readonly<Record<string, string>>,
  namespace: string = driversNamespace,
): GivenObject {
  return { kind: "Secret", namespace, name, data };
}

function configMap(name: string, namespace: string, data: Readonly<Record<string, string>>): GivenObject {
  return { kind: "ConfigMap", namespace, name, data };
}

/** What an installer says of the cluster. */
function infrastructure(
  platformStatus: NonNullable<Infrastructure["status"]>["platformStatus"] & object,
  spec: Infrastructure["spec"] = {},
): Pick<Infrastructure, "spec" | "status"> {
  const { type } = platformStatus;
  return {
    spec: { platformSpec: { type }, ...spec },
    status: {
      infrastructureName: "test-x7k2p",
      controlPlaneTopology: "HighlyAvailable",
      infrastructureTopology: "HighlyAvailable",
      platformStatus,
    },
  };
}

const awsGiven = () =>
  ["ebs-cloud-credentials", "aws-efs-cloud-credentials"].map((name) => secret(name, { credentials: "[default]" }));
const azureSecrets = ["azure-disk-credentials", "azure-file-credentials"].map((name) =>
  secret(name, { azure_client_id: "x" }),
);
const gcpGiven = () =>
  ["gcp-pd-cloud-credentials", "gcp-filestore-cloud-credentials"].map((name) =>
    secret(name, { "service_account.json": "{}" }),
  );
/** There is no cloud to ask for its zones, so somebody has decided. */
const cinderGiven = () => [
  configMap("cinder-csi-config", configNamespace, { config: "", enable_topology: "false" }),
  secret("openstack-cloud-credentials", { "clouds.yaml": "clouds: {}" }),
];
const powervsGiven = () => [secret("ibm-powervs-cloud-credentials", { ibmcloud_api_key: "x" })];

function ibmGiven({ ibmEndpoint, ibmApiKey }: Clouds): GivenObject[] {
  const overrides = ["iam", "rm"].map((service) => `${service}EndpointOverride = ${ibmEndpoint}`);
  const lines = ["[provider]", "accountID = acc", "region = eu-de", "g2ResourceGroupName = shop", ...overrides, ""];
  return [
    configMap("cloud-conf", "openshift-cloud-controller-manager", { "cloud.conf": lines.join("\n") }),
    secret("ibm-cloud-credentials", { ibmcloud_api_key: ibmApiKey }),
  ];
}

function vsphereGiven({ vcenter }: Clouds): GivenObject[] {
  const { server, port, user, password } = vcenter;
  const lines = [
    "[Global]",
    "insecure-flag = 1",
    `[VirtualCenter "${server}"]`,
    `port = ${port}`,
    "datacenters = DC0",
    "[Workspace]",
    `server = ${server}`,
    "datacenter = DC0",
    "default-datastore = LocalDS_0",
    "",
  ];
  const login = { [`${server}.username`]: user, [`${server}.password`]: password };
  return [
    configMap(cloudConfig.name, configNamespace, { config: lines.join("\n") }),
    secret("vmware-vsphere-cloud-credentials", login),
  ];
}

const vsphereNodes = ({ vcenter }: Clouds) => [`vsphere://${vcenter.machineUuid}`];

const threeOf = (providerId: (index: number) => string) => () => [0, 1, 2].map(providerId);

/** With an Infrastructure, which decides. */
export const openshiftPlatforms: readonly Platform[] = [
  {
    name: "AWS",
    drivers: ["aws-ebs", "aws-efs"],
    infrastructure: infrastructure({ type: "AWS", aws: { region: "eu-central-1" } }),
    given: awsGiven,
  },
  {
    name: "Azure",
    drivers: ["azure-disk", "azure-file"],
    infrastructure: infrastructure({ type: "Azure", azure: { cloudName: "AzurePublicCloud" } }, { cloudConfig }),
    given: () => [configMap(cloudConfig.name, configNamespace, { config: "{}" }), ...azureSecrets],
  },
  {
    name: "GCP",
    drivers: ["gcp-pd", "gcp-filestore"],
    infrastructure: infrastructure({ type: "GCP", gcp: { projectID: "shop", region: "europe-west3" } }),
    given: gcpGiven,
  },
  {
    name: "OpenStack",
    drivers: ["openstack-cinder", "openstack-manila"],
    infrastructure: infrastructure({ type: "OpenStack" }, { cloudConfig }),
    given: ({ shareCloudsText }) => [
      configMap(cloudConfig.name, configNamespace, { config: "[Global]\nsecret-name = x\n" }),
      ...cinderGiven(),
      secret("manila-cloud-credentials", { "clouds.yaml": shareCloudsText }, "openshift-manila-csi-driver"),
    ],
  },
  {
    name: "VSphere",
    drivers: ["vmware-vsphere"],
    infrastructure: infrastructure({ type: "VSphere" }, { cloudConfig }),
    providerIds: vsphereNodes,
    given: vsphereGiven,
  },
  {
    name: "IBMCloud",
    drivers: ["ibm-vpc-block"],
    infrastructure: infrastructure({ type: "IBMCloud" }),
    given: ibmGiven,
  },
  {
    name: "PowerVS",
    drivers: ["powervs-block"],
    infrastructure: infrastructure({ type: "PowerVS" }),
    given: powervsGiven,
  },
  {
    name: "External, local",
    drivers: ["local"],
    infrastructure: infrastructure(
      { type: "External" },
      { platformSpec: { type: "External", external: { platformName: "local" } } },
    ),
  },
  {
    name: "External, of somebody unknown",
    drivers: [],
    infrastructure: infrastructure(
      { type: "External" },
      { platformSpec: { type: "External", external: { platformName: "acme" } } },
    ),
  },
  { name: "None", drivers: [], infrastructure: infrastructure({ type: "None" }) },
  { name: "BareMetal", drivers: [], infrastructure: infrastructure({ type: "BareMetal" }) },
  { name: "BareMetal with a server for SMB", drivers: ["smb"], infrastructure: infrastructure({ type: "BareMetal" }) },
];

/** What nodes say of themselves is all that there is. */
export const plainPlatforms: readonly Platform[] = [
  {
    name: "aws:// nodes",
    drivers: ["aws-ebs", "aws-efs"],
    providerIds: threeOf((index) => `aws:///eu-central-1a/i-0a1b2c3d4e5f6071${index}`),
    given: awsGiven,
  },
  {
    name: "azure:// nodes",
    drivers: ["azure-disk", "azure-file"],
    providerIds: threeOf(
      (index) =>
        `azure:///subscriptions/x/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/node-${index}`,
    ),
    // Nobody copies it from a place that only OpenShift has.
    given: () => [configMap("azure-cloud-config", driversNamespace, { config: "{}" }), ...azureSecrets],
  },
  {
    name: "gce:// nodes",
    drivers: ["gcp-pd", "gcp-filestore"],
    providerIds: threeOf((index) => `gce://shop/europe-west3-a/node-${index}`),
    given: gcpGiven,
  },
  {
    name: "openstack:// nodes",
    drivers: ["openstack-cinder", "openstack-manila"],
    providerIds: threeOf((index) => `openstack:///0f1e2d3c-0000-0000-0000-00000000000${index}`),
    given: cinderGiven,
    disabled: ["openstack-manila"],
  },
  { name: "vsphere:// nodes", drivers: ["vmware-vsphere"], providerIds: vsphereNodes, given: vsphereGiven },
  {
    name: "ibm:// nodes",
    drivers: ["ibm-vpc-block"],
    providerIds: threeOf((index) => `ibm://acc///shop/node-${index}`),
    given: ibmGiven,
  },
  {
    name: "ibmpowervs:// nodes",
    drivers: ["powervs-block"],
    providerIds: threeOf((index) => `ibmpowervs://eu-de/eu-de-1/x/node-${index}`),
    given: powervsGiven,
  },
  { name: "nodes of a cloud that nobody knows", drivers: [], providerIds: threeOf((index) => `acme://node-${index}`) },
  { name: "nodes without a providerID, with a server for SMB", drivers: ["smb"], providerIds: threeOf(() => "") },
];
