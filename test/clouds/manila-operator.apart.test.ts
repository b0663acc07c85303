import { type OpenStackCloud, startTemporaryCloud, stderrProgress } from "@stowage/lab";
import {
  clusterCSIDrivers,
  configMaps,
  csiDrivers,
  daemonSets,
  deployments,
  namespaces,
  secrets,
  storageClasses,
} from "@stowage/machinery";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../operators/driver-operator/operator-cluster.ts";
import { createDriver } from "../operators/driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "../operators/driver-operator/running-operator.ts";
import { unusedRights } from "../operators/driver-operator/unused-rights.ts";
import { type TlsFront, tlsFront } from "./openstack/tls-front.ts";

// Debian's Keystone and Manila, behind TLS with an authority of the cloud's own, and the operator as it is deployed.

const driver = "manila.csi.openstack.org";
const namespace = "openshift-manila-csi-driver";
const credentials = { namespace, name: "manila-cloud-credentials" };
const controller = { namespace, name: "openstack-manila-csi-controllerplugin" };
/** The cloud is asked once a minute. */
const withinMinutes = <T>(assertion: () => Promise<T>) => eventually(assertion, 180_000);

let cloud: OpenStackCloud;
let front: TlsFront;
let cluster: OperatorCluster;
let operator: RunningOperator;
let keystone: string;
let manila: string;

beforeAll(async () => {
  [cloud, cluster] = await Promise.all([startTemporaryCloud("manila", stderrProgress), startOperatorCluster()]);
  front = tlsFront();
  [keystone, manila] = await Promise.all([front.before(cloud.keystoneUrl), front.before(cloud.manilaUrl)]);
  await cluster.install(...allDefinitions);
  for (const name of [namespace, "openshift-config"]) await cluster.client.create(namespaces, { metadata: { name } });
  operator = new RunningOperator(cluster, await loadDriverProfile("openstack-manila"));
  await createDriver(cluster, driver);
  await operator.start({ ...images, NFS_DRIVER_IMAGE: "registry.test/nfs:1" });
}, 300_000);
afterAll(async () => {
  await operator?.stop();
  await Promise.all([front?.[Symbol.asyncDispose](), cloud?.stop(), cluster?.[Symbol.asyncDispose]()]);
});

function cloudsText(password: string): string {
  const auth = { auth_url: keystone, username: "admin", password, project_name: "admin" };
  const domains = { user_domain_name: "Default", project_domain_name: "Default" };
  return dump({ clouds: { openstack: { auth: { ...auth, ...domains }, region_name: "RegionOne" } } });
}

const conditions = () => cluster.conditions(driver);
const disabledFor = (reason: string) => expect(conditions()).resolves.toContain(`CSIControllerDisabled=True/${reason}`);
const classNames = async () => (await cluster.client.list(storageClasses)).items.map(({ metadata }) => metadata.name);

async function say(password: string): Promise<void> {
  const stringData = { "clouds.yaml": cloudsText(password) };
  await cluster.client.patch(secrets, credentials, { type: "merge", patch: { stringData } });
}

describe("the operator of Manila", () => {
  it("is disabled without credentials, and makes nothing of the driver", async () => {
    await eventually(() => disabledFor("CredentialsUnusable"));
    expect(await cluster.client.find(csiDrivers, { name: driver })).toBeUndefined();
    expect(await cluster.client.find(deployments, controller)).toBeUndefined();
  });

  it("is disabled while nobody has said whom the cloud's certificates are by", async () => {
    const stringData = { "clouds.yaml": cloudsText("not-the-password") };
    await cluster.client.create(secrets, { metadata: credentials, stringData });
    await eventually(() => disabledFor("CloudUnreachable"));
  });

  it("is disabled by a password that Keystone does not know", async () => {
    const metadata = { namespace: "openshift-config", name: "cloud-provider-config" };
    await cluster.client.create(configMaps, { metadata, data: { "ca-bundle.pem": front.authority } });
    await eventually(() => disabledFor("CloudRefused"));
  });

  it("is disabled in a cloud that has no Manila", async () => {
    await say(cloud.password);
    await eventually(() => disabledFor("ServiceMissing"));
  });

  it("finds by itself that the cloud was given Manila, and what it lacks", async () => {
    await cloud.admin.addShareService(manila);
    await withinMinutes(() => disabledFor("NoShareTypes"));
    expect(await cluster.messageOf(driver, "CSIControllerDisabled")).toContain("does not provide any share types");
    expect(await cluster.client.find(deployments, controller)).toBeUndefined();
  });

  it("comes up when there are share types, with a class for each", async () => {
    await cloud.admin.addShareType("default");
    await cloud.admin.addShareType("Fast_NVMe");
    await withinMinutes(async () => expect(await classNames()).toEqual(["csi-manila-default", "csi-manila-fast-nvme"]));
    const fast = await cluster.client.get(storageClasses, { name: "csi-manila-fast-nvme" });
    expect(fast.parameters).toMatchObject({
      type: "Fast_NVMe",
      "csi.storage.k8s.io/provisioner-secret-name": "csi-manila-secrets",
      "csi.storage.k8s.io/node-publish-secret-namespace": namespace,
    });
    await eventually(async () => {
      expect(await cluster.client.find(deployments, controller)).toBeDefined();
      const nodes = (await cluster.client.list(daemonSets, { namespace })).items.map(({ metadata }) => metadata.name);
      expect(nodes).toEqual(["csi-nodeplugin-nfsplugin", "openstack-manila-csi-nodeplugin"]);
    });
    expect((await conditions()).join(" ")).not.toContain("CSIControllerDisabled");
  });

  it("hands the cloud's authority to the driver", async () => {
    await eventually(async () => {
      const copy = await cluster.client.get(configMaps, { namespace, name: "cloud-provider-config" });
      expect(copy.data).toEqual({ "ca-bundle.pem": front.authority });
    });
  });

  it("says of every workload how it is, and of nothing that it has failed", async () => {
    await eventually(async () => {
      const said = await conditions();
      expect(said).toContain("NFSDriverNodeServiceControllerAvailable=False/Deploying");
      expect(said).toContain("OpenStackManilaDriverControllerServiceControllerAvailable=False/Deploying");
      expect(said.filter((each) => each.includes("Degraded=True"))).toEqual([]);
    });
  });

  it("makes a class of a type that comes later, and leaves one whose type has gone", async () => {
    await cloud.admin.addShareType("silver");
    await cloud.admin.removeShareType("Fast_NVMe");
    await withinMinutes(async () => expect(await classNames()).toContain("csi-manila-silver"));
    expect(await classNames()).toContain("csi-manila-fast-nvme");
  });

  it("looks after the driver when Manila is down, also after a restart, and says that it is", async () => {
    await cloud.stopManila();
    await operator.stop();
    await operator.start({ ...images, NFS_DRIVER_IMAGE: "registry.test/nfs:2" });
    await eventually(async () => {
      const nfs = await cluster.client.get(daemonSets, { namespace, name: "csi-nodeplugin-nfsplugin" });
      expect(nfs.spec?.template.spec?.containers[0]?.image).toBe("registry.test/nfs:2");
    });
    const said = await eventually(async () => {
      const all = (await conditions()).join(" ");
      expect(all).toContain("CSIControllerDegraded=True/");
      return all;
    });
    expect(said).not.toContain("CSIControllerDisabled");
    await cloud.startManila();
    await withinMinutes(async () => expect((await conditions()).join(" ")).toContain("CSIControllerDegraded=False/"));
  });

  it("asks for nothing that it may not have, has no right that it does not use, and tells nobody the password", async () => {
    // Lets go of its lease.
    expect(await operator.stop()).toBe(0);
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect([...new Set(refused.map(requestText))]).toEqual([]);
    const isOfRollouts = (right: string) => /^update (deployments|daemonsets)\.apps/u.test(right);
    expect(unusedRights(operator).filter((right) => !isOfRollouts(right))).toEqual([]);
    const told = operator.log + JSON.stringify(await cluster.client.get(clusterCSIDrivers, { name: driver }));
    expect(told).not.toContain(cloud.password);
    expect(told).not.toContain("not-the-password");
  });
});
