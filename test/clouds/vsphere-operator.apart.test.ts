import {
  type ClusterRole,
  clusterCSIDrivers,
  clusterRoles,
  csiDrivers,
  daemonSets,
  deployments,
  namespaces,
  nodes,
  secrets,
  storageClasses,
  type VSphereCSIDriverConfig,
  validatingWebhookConfigurations,
} from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soapVCenter } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap-vcenter.ts";
import { eventually } from "../node/kubelet/cluster.ts";
import { assetIdentities, namesOf } from "../operators/driver-operator/applied-objects.ts";
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
import { firstMachineUuid, type SimulatedVCenter, startSimulatedVCenter } from "./vsphere/simulated-vcenter.ts";
import { becomeVSphere, clusterId, createNode, setLogin, setVCenters } from "./vsphere/vsphere-cluster.ts";

// The operator of vSphere as it is deployed, on a real API server, before VMware's own simulator of vCenter. How the workloads are is
// for the test to say.

const driver = "csi.vsphere.vmware.com";
const prefix = "vmware-vsphere-csi-driver";
const login = { user: "DOMAIN\\user", password: 'q"7<&x\\y' };
const policy = `openshift-storage-policy-${clusterId}`;
const webhook = { name: "validation.csi.vsphere.vmware.com" };

let cluster: OperatorCluster;
let operator: RunningOperator;
/** Of vSphere 7.0.1, of 8, and another one of 8. */
let old: SimulatedVCenter;
let current: SimulatedVCenter;
let second: SimulatedVCenter;

beforeAll(async () => {
  [cluster, old, current, second] = await Promise.all([
    startOperatorCluster(),
    startSimulatedVCenter({ login, version: "7.0.1.0" }),
    startSimulatedVCenter({ login }),
    startSimulatedVCenter({ login }),
  ]);
  await cluster.install(...allDefinitions);
  for (const name of [namespace, "openshift-config"]) await cluster.client.create(namespaces, { metadata: { name } });
  // Drivers are bound to these, which the payload brings.
  const manifests = readAssetFolder(new URL("../../packages/operators/manifests/", import.meta.url));
  const roles = manifests.filter(({ name }) => name.includes("sidecar_roles")).flatMap(parseManifests);
  for (const role of roles) await cluster.client.create(clusterRoles, role as ClusterRole);
  await becomeVSphere(cluster);
  await setVCenters(cluster, { "127.0.0.1": old.port });
  await createNode(cluster, "node-1", `vsphere://${await firstMachineUuid(old, login)}`);
  operator = new RunningOperator(cluster, await loadDriverProfile("vmware-vsphere"));
  await createDriver(cluster, driver);
  await operator.start({ ...images, VMWARE_VSPHERE_SYNCER_IMAGE: "registry.test/syncer:1" }, [
    "--listen",
    "127.0.0.1:0",
  ]);
}, 300_000);
afterAll(async () => {
  await operator?.stop();
  await Promise.all([old, current, second, cluster].map((each) => each?.[Symbol.asyncDispose]()));
});

const conditions = () => cluster.conditions(driver);
const says = (...expected: string[]) =>
  eventually(async () => expect(await conditions()).toEqual(expect.arrayContaining(expected)));

/** By its figures. */
const hasErrors = (...labels: string[]) =>
  eventually(async () =>
    expect(await operator.figures("vsphere_csi_driver_error")).toEqual(
      labels.map((each) => `vsphere_csi_driver_error${each}`),
    ),
  );

async function configure(vSphere: VSphereCSIDriverConfig): Promise<void> {
  const patch = { spec: { driverConfig: { driverType: "vSphere", vSphere } } };
  await cluster.client.patch(clusterCSIDrivers, { name: driver }, { type: "merge", patch });
}

async function configText(): Promise<string> {
  const { data } = await cluster.client.get(secrets, { namespace, name: "vsphere-csi-config-secret" });
  return Buffer.from(data?.["cloud.conf"] ?? "", "base64").toString("utf8");
}

/** Which of its datastores have the cluster's tag; undefined when it does not know the policy. */
async function taggedIn({ port }: SimulatedVCenter): Promise<string[] | undefined> {
  const { signal } = new AbortController();
  const access = { server: "127.0.0.1", port, isVerified: false, ...login };
  const vcenter = await soapVCenter({ env: {}, authority: () => undefined })(access, signal);
  try {
    if (!(await vcenter.policies.names(signal)).includes(policy)) return undefined;
    const category = await vcenter.tags.category(`openshift-${clusterId}`, signal);
    const tag = (await vcenter.tags.tag(clusterId, category?.id ?? "", signal)) ?? "";
    const tagged: string[] = [];
    for (const name of ["LocalDS_0", "LocalDS_1"]) {
      const datastore = await vcenter.datastore(`/DC0/datastore/${name}`, signal);
      if (datastore && (await vcenter.tags.tagsOf(datastore, signal)).includes(tag)) tagged.push(name);
    }
    return tagged;
  } finally {
    await vcenter.logout(signal);
  }
}

describe("the operator of vSphere", () => {
  it("installs nothing without credentials, and is degraded", async () => {
    await says(
      "VMwareVSphereControllerDisabled=True/openshift_api_error",
      "VMwareVSphereControllerUpgradeable=False/openshift_api_error",
      "VMwareVSphereOperatorCheckDegraded=True/openshift_api_error",
    );
    await hasErrors('{failure_reason="openshift_api_error",condition="degraded"} 1');
    expect(await cluster.client.find(csiDrivers, { name: driver })).toBeUndefined();
  });

  it("installs nothing while vCenter refuses it, and does not know whether upgrades are safe", async () => {
    await setLogin(cluster, { ...login, password: "not-the-password" });
    await says(
      "VMwareVSphereControllerDisabled=True/vsphere_connection_failed",
      "VMwareVSphereControllerUpgradeable=Unknown/vsphere_connection_failed",
      "VMwareVSphereOperatorCheckDegraded=False/",
    );
    await hasErrors('{failure_reason="vsphere_connection_failed",condition="upgrade_unknown"} 1');
    expect(await cluster.client.find(csiDrivers, { name: driver })).toBeUndefined();
  });

  it("installs the driver for an old vCenter, and blocks upgrades", async () => {
    await setLogin(cluster, login);
    await says(
      "VMwareVSphereControllerUpgradeable=False/check_deprecated_vcenter",
      "VMwareVSphereOperatorCheckDegraded=False/",
    );
    expect(await cluster.messageOf(driver, "VMwareVSphereControllerUpgradeable")).toBe(
      "found older vcenter version 7.0.1.0, minimum required version for upgrade is 7.0.2",
    );
    expect((await conditions()).join(" ")).not.toContain("ControllerDisabled");
    await hasErrors('{failure_reason="check_deprecated_vcenter",condition="upgrade_blocked"} 1');
    await eventually(async () =>
      expect(await namesOf(cluster, assetIdentities(operator.profile), "missing")).toEqual([]),
    );
  });

  it("has made the policy in vCenter that the class names, for the datastore of the failure domain", async () => {
    await says(
      "VMwareVSphereDriverStorageClassControllerAvailable=True/AsExpected",
      "VMwareVSphereDriverStorageClassControllerDegraded=False/AsExpected",
    );
    const { parameters } = await eventually(() => cluster.client.get(storageClasses, { name: "thin-csi" }));
    expect(parameters).toEqual({ StoragePolicyName: policy });
    expect(await taggedIn(old)).toEqual(["LocalDS_0"]);
  });

  it("has told the driver where its vCenter is, its zones, and where former volumes are", async () => {
    const text = await configText();
    expect(text).toContain(`[VirtualCenter "127.0.0.1"]\ninsecure-flag = true\nport = "${old.port}"\n`);
    expect(text).toMatch(/^migration-datastore-url = ".+"$/mu);
    expect(text).toContain('topology-categories = "openshift-zone,openshift-region"\n');
  });

  it("has the API server ask the webhook only when that answers", async () => {
    expect(await cluster.client.find(validatingWebhookConfigurations, webhook)).toBeUndefined();
    // Nobody answers here: no class is written from now on.
    for (const name of ["controller", "webhook"]) await becomeAvailable(cluster, `${prefix}-${name}`);
    await becomeAvailableOnNodes(cluster, `${prefix}-node`);
    await eventually(async () =>
      expect(await cluster.client.find(validatingWebhookConfigurations, webhook)).toBeDefined(),
    );
  });

  it("is available, degraded by nothing, and then writes nothing more", async () => {
    await says(
      "VMwareVSphereDriverControllerServiceControllerAvailable=True/AsExpected",
      "VMwareVSphereDriverNodeServiceControllerAvailable=True/AsExpected",
      "VMwareVSphereDriverWebhookControllerAvailable=True/AsExpected",
    );
    await eventually(async () =>
      expect((await conditions()).filter((each) => each.includes("Degraded=True"))).toEqual([]),
    );
    await eventually(async () => expect(operator.writes(Date.now() - 5_000)).toEqual([]));
  });

  it("has rolled nothing out twice", async () => {
    const made = await Promise.all([
      cluster.client.get(deployments, { namespace, name: `${prefix}-controller` }),
      cluster.client.get(deployments, { namespace, name: `${prefix}-webhook` }),
      cluster.client.get(daemonSets, { namespace, name: `${prefix}-node` }),
    ]);
    expect(made.map(({ metadata }) => metadata.generation)).toEqual([1, 1, 1]);
  });

  it("tells how many zones there are, and who says by which tags they are told", async () => {
    const scopes = { datacenters: 1, datastores: 2, regions: 1, zones: 2, vcenters: 2, failure_domains: 2 };
    expect(await operator.figures("vsphere_infrastructure_failure_domains")).toEqual(
      Object.entries(scopes).map(
        ([scope, count]) => `vsphere_infrastructure_failure_domains{scope="${scope}"} ${count}`,
      ),
    );
    const tags = async () => operator.figures("vsphere_topology_tags");
    const said = (infrastructure: number, driverSays: number) => [
      `vsphere_topology_tags{source="infrastructure"} ${infrastructure}`,
      `vsphere_topology_tags{source="clustercsidriver"} ${driverSays}`,
    ];
    expect(await tags()).toEqual(said(2, 0));
    // In vain: the alert about it is made of this.
    await configure({ topologyCategories: ["own-zone", "own-region"] });
    await eventually(async () => expect(await tags()).toEqual(said(2, 2)));
  });

  it("allows upgrades when vCenter is of today, and makes the policy in each of several", async () => {
    await setVCenters(cluster, { "127.0.0.1": current.port, localhost: second.port });
    await says("VMwareVSphereControllerUpgradeable=True/", "VMwareVSphereOperatorCheckDegraded=False/");
    await hasErrors();
    await eventually(async () => {
      expect(await taggedIn(current)).toEqual(["LocalDS_0"]);
      expect(await taggedIn(second)).toEqual(["LocalDS_1"]);
    });
    const text = await eventually(async () => {
      const found = await configText();
      expect(found).toContain('[VirtualCenter "localhost"]');
      return found;
    });
    // Former volumes are of one vCenter, and nobody could say of which.
    expect(text).not.toContain("migration-datastore-url");
  });

  it("is degraded by a node that is no vSphere's, and goes on to configure the driver", async () => {
    await createNode(cluster, "node-2", "aws:///x/i-1");
    await configure({ globalMaxSnapshotsPerBlockVolume: 10, granularMaxSnapshotsPerBlockVolumeInVSAN: 32 });
    await says(
      "VMwareVSphereControllerUpgradeable=False/non_vsphere_node",
      "VMwareVSphereOperatorCheckDegraded=True/non_vsphere_node",
    );
    await eventually(async () =>
      expect(await configText()).toContain(
        "[Snapshot]\nglobal-max-snapshots-per-block-volume = 10\ngranular-max-snapshots-per-block-volume-vsan = 32\n",
      ),
    );
    expect(await cluster.client.find(deployments, { namespace, name: `${prefix}-controller` })).toBeDefined();
    await cluster.client.delete(nodes, { name: "node-2" });
    await configure({ globalMaxSnapshotsPerBlockVolume: 11 });
    await says("VMwareVSphereControllerUpgradeable=True/", "VMwareVSphereOperatorCheckDegraded=False/");
  });

  it("is degraded when vCenter is away, and the driver stays", async () => {
    await current[Symbol.asyncDispose]();
    await configure({ globalMaxSnapshotsPerBlockVolume: 12 });
    await says("VMwareVSphereOperatorCheckDegraded=True/vsphere_connection_failed");
    expect((await conditions()).join(" ")).not.toContain("ControllerDisabled");
    expect(await namesOf(cluster, assetIdentities(operator.profile), "missing")).toEqual([]);
  });

  it("goes when it is to be removed, also without vCenter, with the webhook's registration", async () => {
    const patch = { spec: { managementState: "Removed" } };
    await cluster.client.patch(clusterCSIDrivers, { name: driver }, { type: "merge", patch });
    await eventually(async () => {
      expect(await namesOf(cluster, assetIdentities(operator.profile), "there")).toEqual([]);
      expect(await cluster.client.find(validatingWebhookConfigurations, webhook)).toBeUndefined();
      expect(await cluster.client.find(secrets, { namespace, name: "vsphere-csi-config-secret" })).toBeUndefined();
    });
    await says("VMwareVSphereControllerDisabled=True/Removed");
    await eventually(async () =>
      expect((await conditions()).filter((each) => /Available=|Progressing=True|Degraded=True/u.test(each))).toEqual(
        [],
      ),
    );
  });

  it("comes back when it is wanted again", async () => {
    await setVCenters(cluster, { "127.0.0.1": second.port });
    const patch = { spec: { managementState: "Managed" } };
    await cluster.client.patch(clusterCSIDrivers, { name: driver }, { type: "merge", patch });
    await eventually(async () =>
      expect(await namesOf(cluster, assetIdentities(operator.profile), "missing")).toEqual([]),
    );
  });

  it("asks for nothing that it may not have, has no right that it does not use, and tells nobody the password", async () => {
    expect(await operator.stop()).toBe(0);
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect([...new Set(refused.map(requestText))]).toEqual([]);
    const isOfRollouts = (right: string) => /^update (deployments|daemonsets)\.apps/u.test(right);
    expect(unusedRights(operator).filter((right) => !isOfRollouts(right))).toEqual([]);
    const told = operator.log + JSON.stringify(await cluster.client.get(clusterCSIDrivers, { name: driver }));
    for (const secret of [login.password, JSON.stringify(login.password).slice(1, -1), "not-the-password"]) {
      expect(told).not.toContain(secret);
    }
  });
});
