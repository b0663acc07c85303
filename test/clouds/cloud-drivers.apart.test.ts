import {
  type ClusterRole,
  clusterCSIDrivers,
  clusterRoles,
  configMaps,
  daemonSets,
  deployments,
  namespaces,
  secrets,
  storageClasses,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { dependencyAnnotations, parseManifests } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { assetIdentities, namesOf, readAll } from "../operators/driver-operator/applied-objects.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../operators/driver-operator/operator-cluster.ts";
import {
  becomeAvailable,
  becomeAvailableOnNodes,
  createDriver,
  namespace,
} from "../operators/driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "../operators/driver-operator/running-operator.ts";
import { unusedRights } from "../operators/driver-operator/unused-rights.ts";
import { type IbmCloud, startIbmCloud } from "./cloud-drivers/ibm-cloud.ts";
import { becomePlatform, createConfigMap, createSecret } from "./cloud-drivers/platforms.ts";

// Operators of drivers for clouds that are not here, on a real API server, each with exactly the rights that it is deployed with. How
// the workloads are is for the test to say.

let cluster: OperatorCluster;

beforeAll(async () => {
  cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions);
  for (const name of [namespace, "openshift-config", "openshift-cloud-controller-manager"]) {
    await cluster.client.create(namespaces, { metadata: { name } });
  }
  // Drivers are bound to these, which the payload brings.
  const manifests = readAssetFolder(new URL("../../packages/operators/manifests/", import.meta.url));
  const roles = manifests.filter(({ name }) => name.includes("sidecar_roles")).flatMap(parseManifests);
  for (const role of roles) await cluster.client.create(clusterRoles, role as ClusterRole);
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const injector = { CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE: "registry.test/injector:1" };

interface Case {
  readonly id: string;
  readonly prepare: () => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isOptional?: boolean;
}

const cloudConfig = { name: "cloud-provider-config", namespace: "openshift-config" };
const ibmConf = { name: "cloud-conf", namespace: "openshift-cloud-controller-manager" };
let ibmCloud: IbmCloud;

beforeAll(async () => {
  ibmCloud = await startIbmCloud("key-1");
});
afterAll(() => ibmCloud?.[Symbol.asyncDispose]());

const cases: readonly Case[] = [
  {
    id: "azure-disk",
    env: injector,
    async prepare() {
      await becomePlatform(cluster, { type: "Azure", azure: { cloudName: "AzurePublicCloud" } });
      await createConfigMap(cluster, cloudConfig, { config: "{}" });
      await createSecret(cluster, "azure-disk-credentials", { azure_client_id: "x" });
    },
  },
  {
    id: "azure-file",
    env: injector,
    async prepare() {
      await createSecret(cluster, "azure-file-credentials", { azure_client_id: "x" });
    },
  },
  {
    id: "ibm-vpc-block",
    async prepare() {
      await becomePlatform(cluster, { type: "IBMCloud" });
      const overrides = ["iam", "rm"].map((service) => `${service}EndpointOverride = ${ibmCloud.endpoint}`);
      const lines = ["[provider]", "accountID = acc", "region = eu-de", "g2ResourceGroupName = shop", ...overrides, ""];
      await createConfigMap(cluster, ibmConf, { "cloud.conf": lines.join("\n") });
      await createSecret(cluster, "ibm-cloud-credentials", { ibmcloud_api_key: "key-1" });
    },
  },
  {
    id: "powervs-block",
    async prepare() {
      const serviceEndpoints = [{ name: "Power", url: "https://power.test" }];
      await becomePlatform(cluster, { type: "PowerVS", powervs: { serviceEndpoints } });
      await createSecret(cluster, "ibm-powervs-cloud-credentials", { ibmcloud_api_key: "x" });
    },
  },
  { id: "smb", isOptional: true, prepare: () => becomePlatform(cluster, { type: "None" }) },
];

describe.each(cases)("the operator of $id", ({ id, prepare, env = {}, isOptional = false }) => {
  let operator: RunningOperator;
  const driver = () => operator.profile.driverName;
  const workload = (part: "controller" | "node") => `${operator.profile.assetPrefix}-${part}`;

  beforeAll(async () => {
    await prepare();
    operator = new RunningOperator(cluster, await loadDriverProfile(id));
    await createDriver(cluster, driver());
    await operator.start({ ...images, ...env });
  });
  afterAll(() => operator.stop());

  it("makes everything from its assets, without a placeholder left and without a second rollout", async () => {
    const wanted = assetIdentities(operator.profile, "combined");
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    expect(JSON.stringify(await readAll(cluster, wanted))).not.toContain("${");
    const isDegraded = (condition: string) => /Degraded=(?!False)/u.test(condition);
    await eventually(async () => expect((await cluster.conditions(driver())).filter(isDegraded)).toEqual([]));
    const deployment = await cluster.client.get(deployments, { namespace, name: workload("controller") });
    const daemonSet = await cluster.client.get(daemonSets, { namespace, name: workload("node") });
    expect([deployment.metadata.generation, daemonSet.metadata.generation]).toEqual([1, 1]);
  });

  it("is available when its workloads are, and then writes nothing more", async () => {
    await becomeAvailable(cluster, workload("controller"));
    await becomeAvailableOnNodes(cluster, workload("node"));
    const { conditionPrefix } = operator.profile;
    await eventually(async () => {
      const conditions = await cluster.conditions(driver());
      for (const part of ["Controller", "Node"]) {
        expect(conditions).toContain(`${conditionPrefix}Driver${part}ServiceControllerAvailable=True/AsExpected`);
      }
    });
    // What was said last is heard of by everybody, and leads to nothing.
    await eventually(async () => expect(operator.writes(Date.now() - 5_000)).toEqual([]));
  });

  it.runIf(isOptional)("goes with its ClusterCSIDriver, and leaves nothing", async () => {
    await cluster.client.delete(clusterCSIDrivers, { name: driver() });
    await eventually(async () =>
      expect(await cluster.client.find(clusterCSIDrivers, { name: driver() })).toBeUndefined(),
    );
    expect(await namesOf(cluster, assetIdentities(operator.profile), "there")).toEqual([]);
  });

  it("was refused nothing, and has no right that it does not use", async () => {
    // Lets go of its lease.
    expect(await operator.stop()).toBe(0);
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect([...new Set(refused.map(requestText))]).toEqual([]);
    // Nothing was changed here that would need another rollout.
    const isOfRollouts = (right: string) => /^update (deployments|daemonsets)\.apps/u.test(right);
    expect(unusedRights(operator).filter((right) => !isOfRollouts(right))).toEqual([]);
  });
});

describe("Azure's configuration", () => {
  let operator: RunningOperator;
  const copy = { namespace, name: "azure-cloud-config" };
  const pod = async () => {
    const ref = { namespace, name: "azure-disk-csi-driver-controller" };
    return (await cluster.client.get(deployments, ref)).spec?.template;
  };

  beforeEach(async () => {
    operator = new RunningOperator(cluster, await loadDriverProfile("azure-disk"));
    await operator.start({ ...images, ...injector });
  });
  afterEach(() => operator.stop());

  it("is copied to where Pods are, comes back, and restarts them when it changes", async () => {
    const [dependency = ""] = Object.keys(
      dependencyAnnotations([{ apiVersion: "v1", kind: "ConfigMap", metadata: copy, data: {} }]),
    );
    const hash = async () => (await pod())?.metadata?.annotations?.[dependency];
    await eventually(async () => expect((await cluster.client.get(configMaps, copy)).data).toEqual({ config: "{}" }));
    const before = await hash();
    await cluster.client.delete(configMaps, copy);
    await eventually(async () => expect((await cluster.client.get(configMaps, copy)).data).toEqual({ config: "{}" }));
    const patch = { data: { config: '{"cloud":"x"}', endpoints: "{}" } };
    await cluster.client.patch(configMaps, cloudConfig, { type: "merge", patch });
    await eventually(async () => expect((await cluster.client.get(configMaps, copy)).data).toEqual(patch.data));
    await eventually(async () => expect([undefined, before]).not.toContain(await hash()));
  });

  it("of a Stack Hub and of a key goes to workloads and classes", async () => {
    await becomePlatform(cluster, { type: "Azure", azure: { cloudName: "AzureStackCloud" } });
    const diskEncryptionSet = {
      subscriptionID: "11111111-2222-3333-4444-555555555555",
      resourceGroup: "keys",
      name: "set",
    };
    const driverConfig = { driverType: "Azure", azure: { diskEncryptionSet } } as const;
    const patch = { spec: { driverConfig } };
    await cluster.client.patch(clusterCSIDrivers, { name: "disk.csi.azure.com" }, { type: "merge", patch });
    await eventually(async () => {
      const { parameters } = await cluster.client.get(storageClasses, { name: "managed-csi" });
      expect(parameters?.["diskEncryptionSetID"]).toMatch(/resourceGroups\/keys\/.*\/diskEncryptionSets\/set$/u);
      const snapshots = await cluster.client.get(volumeSnapshotClasses, { name: "csi-azuredisk-vsc" });
      expect(snapshots.parameters).toEqual({ incremental: "false" });
      expect((await pod())?.spec?.containers[0]?.env?.map(({ name }) => name)).toContain("AZURE_ENVIRONMENT_FILEPATH");
    });
  });
});

describe("the credentials of VPC Block", () => {
  let operator: RunningOperator;
  let before = 0;
  const driverSecret = { namespace, name: "storage-secret-store" };
  const file = async () => {
    const { data } = await cluster.client.get(secrets, driverSecret);
    return Buffer.from(data?.["slclient.toml"] ?? "", "base64").toString("utf8");
  };

  beforeAll(async () => {
    operator = new RunningOperator(cluster, await loadDriverProfile("ibm-vpc-block"));
    before = ibmCloud.asked.length;
    await operator.start(images);
  });
  afterAll(() => operator.stop());

  it("are made of the key, the configuration, and what the cloud says of the group", async () => {
    // A process that has just started remembers nothing.
    await eventually(async () =>
      expect(ibmCloud.asked.slice(before)).toEqual(["/identity/token", "/v2/resource_groups"]),
    );
    expect(await file()).toContain('g2_resource_group_id = "group-1"\ng2_api_key = "key-1"\n');
  });

  it("follow a new key, and the cloud is asked no more often than there are keys", async () => {
    ibmCloud.apiKey = "key-2";
    const ref = { namespace, name: "ibm-cloud-credentials" };
    const patch = { data: { ibmcloud_api_key: Buffer.from("key-2").toString("base64") } };
    before = ibmCloud.asked.length;
    await cluster.client.patch(secrets, ref, { type: "merge", patch });
    await eventually(async () => expect(await file()).toContain('g2_api_key = "key-2"\n'));
    expect(ibmCloud.asked.slice(before)).toEqual(["/identity/token", "/v2/resource_groups"]);
  });

  it("stay as they are while the cloud refuses the key, and the condition says so without it", async () => {
    const ref = { namespace, name: "ibm-cloud-credentials" };
    const patch = { data: { ibmcloud_api_key: Buffer.from("key-3").toString("base64") } };
    await cluster.client.patch(secrets, ref, { type: "merge", patch });
    await eventually(async () => {
      const message = await cluster.messageOf("vpc.block.csi.ibm.io", "SecretSyncDegraded");
      expect(message).toMatch(/answered \/identity\/token with status 400/u);
    });
    expect(await file()).toContain('g2_api_key = "key-2"\n');
    const { status } = await cluster.driver("vpc.block.csi.ibm.io");
    for (const text of [operator.log, JSON.stringify(status)]) expect(text).not.toMatch(/key-[123]|token-1/u);
  });
});
