import {
  type APIServer,
  type ClusterCSIDriver,
  type CredentialsRequest,
  type Deployment,
  type KubernetesObject,
  type LogLevel,
  type PlatformType,
  type Storage,
  type TLSAdherence,
  type TLSProfileType,
  type TopologyMode,
} from "@stowage/machinery";
import { clusterFactsOf, controlPlaneRoles, parseManifests, renderObject } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { readAssetFolder } from "../assets/index.ts";
import { loadDriverProfile } from "../csi-driver/drivers/index.ts";
import { deploymentHooks } from "./driver-manager/operator-deployment.ts";
import {
  type DriverOperatorEntry,
  driverOperatorAssets,
  driverOperators,
  startDecision,
} from "./driver-operators/index.ts";
import { driversNamespace, storageOperatorNamespace } from "./names.ts";
import { operatorServingInfo } from "./tls-settings-source.ts";

/** What the storage operator does for every driver alike: each rule for both, by platform, topology and what is observed. */
const topologies: readonly TopologyMode[] = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
];
const places = driverOperators.flatMap((entry) => topologies.map((topology) => ({ id: entry.id, entry, topology })));
const verbosities = { Normal: 2, Debug: 4, Trace: 6, TraceAll: 8 } as const;

interface Situation {
  readonly topology?: TopologyMode;
  readonly hasMasters?: boolean;
  readonly spec?: Storage["spec"];
  readonly tlsProfile?: TLSProfileType;
  readonly tlsAdherence?: TLSAdherence;
  readonly without?: string;
}

/** The images by which a driver's operator knows them, each from the variable that the storage operator has for it. */
function environmentOf({ images }: DriverOperatorEntry): Record<string, string> {
  const shared = ["PROVISIONER", "ATTACHER", "RESIZER", "SNAPSHOTTER", "NODE_DRIVER_REGISTRAR", "LIVENESS_PROBE"];
  const names = [...Object.values(images), ...[...shared, "KUBE_RBAC_PROXY", "TOOLS"].map((name) => `${name}_IMAGE`)];
  return Object.fromEntries(names.map((name) => [name, `registry.test/${name.toLowerCase()}`]));
}

async function operatorDeployment(entry: DriverOperatorEntry, situation: Situation = {}): Promise<Deployment> {
  const {
    topology = "HighlyAvailable",
    hasMasters = true,
    spec = {},
    tlsProfile,
    tlsAdherence,
    without = "",
  } = situation;
  const labels = hasMasters ? Object.fromEntries(controlPlaneRoles.map((role) => [role, ""])) : {};
  const facts = clusterFactsOf({
    infrastructure: {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      spec: {},
      status: { controlPlaneTopology: topology, platformStatus: { type: entry.platform as PlatformType } },
    },
    nodes: [{ metadata: { name: "node-0", labels } }],
    clusterUid: "",
  });
  const apiServer = { spec: { tlsSecurityProfile: tlsProfile && { type: tlsProfile }, tlsAdherence } } as APIServer;
  const env = { ...environmentOf(entry), [without]: undefined };
  const sources = {
    env,
    facts: { current: async () => facts },
    tlsSettings: { ofOperators: async () => operatorServingInfo(apiServer) },
    operators: { namespace: driversNamespace, ownNamespace: storageOperatorNamespace },
  };
  const metadata = { name: "cluster" };
  const operator: Storage = { apiVersion: "operator.openshift.io/v1", kind: "Storage", metadata, spec };
  const context = { operator, signal: new AbortController().signal };
  return renderObject(driverOperatorAssets(entry).deployment, { ...deploymentHooks(sources as never, entry), context });
}

const podOf = ({ spec }: Deployment) => spec?.template.spec ?? { containers: [] };

describe.each(places)("the operator of $id with $topology", ({ entry, topology }) => {
  it("is one Pod, in the drivers' namespace, on masters that are in the cluster", async () => {
    const deployment = await operatorDeployment(entry, { topology });
    expect(deployment.metadata).toMatchObject({ name: entry.operatorName, namespace: driversNamespace });
    expect(deployment.spec?.replicas).toBe(1);
    const nodeSelector = topology === "External" ? {} : { "node-role.kubernetes.io/master": "" };
    expect(podOf(deployment).nodeSelector).toEqual(nodeSelector);
  });

  it("asks for no masters where no node is one", async () => {
    expect(podOf(await operatorDeployment(entry, { topology, hasMasters: false })).nodeSelector).toEqual({});
  });

  it.each(Object.entries(verbosities))("logs at %s with --v=%i, as the Storage says", async (logLevel, verbosity) => {
    const deployment = await operatorDeployment(entry, { topology, spec: { logLevel: logLevel as LogLevel } });
    expect(podOf(deployment).containers[0]?.args).toContain(`--v=${verbosity}`);
  });

  it("has the proxy from targetconfig in the operator's own container", async () => {
    const observedConfig = { targetconfig: { proxy: { HTTPS_PROXY: "http://proxy.test" } } };
    const { containers } = podOf(await operatorDeployment(entry, { topology, spec: { observedConfig } }));
    const proxied = containers.filter(({ env = [] }) => env.some(({ name }) => name === "HTTPS_PROXY"));
    expect(proxied.map(({ name }) => name)).toEqual([entry.operatorName]);
  });

  it.each([
    ["Old", "StrictAllComponents", "VersionTLS10"],
    ["Intermediate", "StrictAllComponents", "VersionTLS12"],
    ["Modern", "StrictAllComponents", "VersionTLS13"],
    ["Modern", "OfALaterVersion", "VersionTLS13"],
    ["Modern", "LegacyAdheringComponentsOnly", "VersionTLS12"],
    ["Modern", undefined, "VersionTLS12"],
    ["Old", undefined, "VersionTLS12"],
  ])("serves its metrics with the TLS profile %s and the adherence %s by %s", async (profile, adherence, version) => {
    const tls = { tlsProfile: profile as TLSProfileType, tlsAdherence: adherence as TLSAdherence | undefined };
    const { containers } = podOf(await operatorDeployment(entry, { topology, ...tls }));
    const proxy = containers.find(({ name }) => name === "kube-rbac-proxy");
    expect(proxy?.args).toContain(`--tls-min-version=${version}`);
  });
});

describe.each(driverOperators)("the operator of $id", (entry) => {
  it("gets every image that the reference names, and nothing unresolved", async () => {
    const deployment = await operatorDeployment(entry);
    expect(JSON.stringify(deployment)).not.toContain("${");
    const env = podOf(deployment).containers[0]?.env ?? [];
    const images = env.filter(({ name, value }) => name.endsWith("_IMAGE") && value !== "").map(({ name }) => name);
    const { ownImages = {} } = await loadDriverProfile(entry.id);
    expect(images.filter((name) => Object.hasOwn(ownImages, name)).toSorted()).toEqual(
      Object.keys(ownImages).toSorted(),
    );
    expect(images.filter((name) => !Object.hasOwn(ownImages, name))).toEqual([
      "DRIVER_IMAGE",
      "PROVISIONER_IMAGE",
      "ATTACHER_IMAGE",
      "RESIZER_IMAGE",
      "SNAPSHOTTER_IMAGE",
      "NODE_DRIVER_REGISTRAR_IMAGE",
      "LIVENESS_PROBE_IMAGE",
      "KUBE_RBAC_PROXY_IMAGE",
      "TOOLS_IMAGE",
    ]);
  });

  it("takes its own image and the driver's from variables that are called after the driver", () => {
    const ofPayloads: Readonly<Record<string, string>> = {
      "openstack-manila": "MANILA",
      "powervs-block": "POWERVS_BLOCK_CSI",
    };
    const stem = ofPayloads[entry.id] ?? entry.id.toUpperCase().replaceAll("-", "_");
    expect(entry.images).toMatchObject({
      OPERATOR_IMAGE: `${stem}_DRIVER_OPERATOR_IMAGE`,
      DRIVER_IMAGE: `${stem}_DRIVER_IMAGE`,
    });
  });

  it.each([...Object.values(entry.images), "KUBE_RBAC_PROXY_IMAGE"])(
    "is not rolled out without %s",
    async (without) => {
      await expect(operatorDeployment(entry, { without })).rejects.toMatchObject({
        message: expect.stringContaining(`Deployment ${entry.operatorName} -n ${driversNamespace} needs ${without}`),
        nextStep: `Set ${without} on Deployment cluster-storage-operator -n openshift-cluster-storage-operator.`,
      });
    },
  );

  it("has one ClusterCSIDriver of the driver's name, managed, with nothing else said", () => {
    const { name, text } = driverOperatorAssets(entry).resource;
    const resources = parseManifests({ name, text }) as ClusterCSIDriver[];
    expect(resources.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      [entry.driverName, { managementState: "Managed" }],
    ]);
  });

  it("agrees with the operator itself on all names", async () => {
    const { driverName, conditionPrefix, operatorName, namespace } = await loadDriverProfile(entry.id);
    // Clusters know these two by another word on either side.
    const prefixes: Readonly<Record<string, string>> = { "openstack-manila": "Manila", "vmware-vsphere": "VSphere" };
    expect(entry).toMatchObject({
      driverName,
      conditionPrefix: prefixes[entry.id] ?? conditionPrefix,
      operatorName,
    });
    expect(namespace).toBe(entry.id === "openstack-manila" ? "openshift-manila-csi-driver" : driversNamespace);
  });

  it("is for its own platform alone", () => {
    const platforms: readonly PlatformType[] = ["AWS", "Azure", "GCP", "IBMCloud", "OpenStack", "PowerVS", "VSphere"];
    const others: readonly PlatformType[] = ["", "BareMetal", "KubeVirt", "None", "Nutanix", "External"];
    const started = [...platforms, ...others].filter((type) => {
      const facts = clusterFactsOf({
        infrastructure: {
          apiVersion: "config.openshift.io/v1",
          kind: "Infrastructure",
          metadata: { name: "cluster" },
          spec: { platformSpec: { type, ...(type === "External" && { external: { platformName: "local" } }) } },
          status: { platformStatus: { type } },
        },
        nodes: [],
        clusterUid: "",
      });
      const isInstalled = entry.isOptional ?? false;
      return startDecision(entry, { facts, csiDriver: undefined, isInstalled }) === "start";
    });
    expect(started).toEqual(entry.platform === "AllPlatforms" ? [...platforms, ...others] : [entry.platform]);
  });
});

describe("the payload", () => {
  const manifests: readonly KubernetesObject[] = readAssetFolder(new URL("../../manifests/", import.meta.url)).flatMap(
    parseManifests,
  );
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

  it("asks for the credentials of each driver that needs some, in the Secret for which its Pods restart", async () => {
    const requests = ofKind("CredentialsRequest") as CredentialsRequest[];
    const asked = requests.map(({ spec }) => `${spec.secretRef.namespace}/${spec.secretRef.name}`);
    const secretById = {
      "aws-ebs": "ebs-cloud-credentials",
      "azure-disk": "azure-disk-credentials",
      "azure-file": "azure-file-credentials",
      "gcp-pd": "gcp-pd-cloud-credentials",
      "ibm-vpc-block": "ibm-cloud-credentials",
      "openstack-cinder": "openstack-cloud-credentials",
      "powervs-block": "ibm-powervs-cloud-credentials",
    };
    for (const [id, secret] of Object.entries(secretById)) {
      const { namespace, controller, readsSecrets = [] } = await loadDriverProfile(id);
      expect(asked).toContain(`${namespace}/${secret}`);
      // Some are read by the operator, which makes of them what the Pods restart for.
      expect([...controller.secrets, ...readsSecrets]).toContain(secret);
    }
  });

  it("closes its own namespace by a network policy, and opens for drivers what their labels ask for", () => {
    const policies = ofKind("NetworkPolicy").map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(policies).toContain("openshift-cluster-storage-operator/default-deny");
    expect(policies.filter((name) => name.startsWith(`${driversNamespace}/`)).length).toBeGreaterThan(3);
  });

  it("has the alerts, and the check of namespaces' labels", () => {
    const [rule] = ofKind("PrometheusRule") as (KubernetesObject & {
      readonly spec: { readonly groups: readonly { readonly rules: readonly { readonly alert?: string }[] }[] };
    })[];
    const alerts = rule?.spec.groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
    expect(new Set(alerts)).toEqual(
      new Set([
        "PodStartupStorageOperationsFailing",
        "KubePersistentVolumeFillingUp",
        "KubePersistentVolumeInodesFillingUp",
        "KubePersistentVolumeErrors",
        "SELinuxMountGAReadinessWorkloadsDetected",
        "MultipleDefaultStorageClasses",
        "VolumeAttributesClassParameterMismatch",
      ]),
    );
    const [binding] = ofKind("ValidatingAdmissionPolicyBinding") as (KubernetesObject & {
      readonly spec: { readonly policyName: string };
    })[];
    expect(ofKind("ValidatingAdmissionPolicy").map(({ metadata }) => metadata.name)).toEqual([
      binding?.spec.policyName,
    ]);
  });

  it("says in everything for which clusters it is", () => {
    const without = manifests.filter(
      ({ metadata }) =>
        metadata.annotations?.["include.release.openshift.io/self-managed-high-availability"] !== "true",
    );
    expect(without.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
  });
});
