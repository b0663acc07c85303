import {
  clusterCSIDrivers,
  configMaps,
  daemonSets,
  deployments,
  infrastructures,
  secrets,
  serviceMonitors,
  services,
  storageClasses,
} from "@stowage/machinery";
import { dependencyAnnotations, hostedControlPlanes } from "@stowage/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { allDefinitions, type OperatorCluster, startOperatorCluster } from "./driver-operator/operator-cluster.ts";
import { createDriver, namespace as guestNamespace } from "./driver-operator/platform.ts";
import { requestText } from "./driver-operator/running-operator.ts";
import {
  becomeHosted,
  type HostedCloud,
  hostedDrivers,
  powervsCredentials,
  startHostedCloud,
} from "./hosted/hosted-cloud.ts";
import { hostedDefinition } from "./hosted/hosted-definition.ts";
import { type HostedOperator, startHostedOperator } from "./hosted/hosted-operator.ts";

const namespace = "clusters-guest";
const driver = "cinder.csi.openstack.org";
const controller = { namespace, name: "openstack-cinder-csi-driver-controller" };
const node = { namespace: guestNamespace, name: "openstack-cinder-csi-driver-node" };
const versionAnnotation = "release.openshift.io/version";

let cluster: OperatorCluster;
const soon = <T>(assertion: () => Promise<T>) => eventually(assertion, 120_000);

beforeAll(async () => {
  cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions, hostedDefinition);
  await becomeGuest(cluster);
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** What HyperShift has made of the guest, before anybody looks after its storage. */
async function becomeGuest({ client }: OperatorCluster): Promise<void> {
  const platformStatus = { type: "OpenStack" } as const;
  await client.create(infrastructures, { metadata: { name: "cluster" }, spec: { platformSpec: platformStatus } });
  const status = { infrastructureName: "guest-x7", controlPlaneTopology: "External", platformStatus } as const;
  const patch = { status: { ...status, infrastructureTopology: "HighlyAvailable" } };
  await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
}

/** What an operator has asked for that it may not, or that is none of its business. */
function strayRequests(operator: HostedOperator, controlPlane: string): string[] {
  const [ofManagement, ofGuest] = [operator.managementRequests(), operator.guestRequests()];
  const stray = [
    ...[...ofManagement, ...ofGuest].filter(({ isAllowed }) => !isAllowed),
    // Everybody may ask which APIs there are.
    ...ofManagement.filter((each) => each.resource !== "" && each.namespace !== controlPlane),
    ...ofGuest.filter((request) => request.namespace === controlPlane),
  ];
  return stray.map(requestText);
}

describe("the operator of Cinder beside a hosted control plane", () => {
  let operator: HostedOperator;
  beforeAll(async () => {
    operator = await startHostedOperator(cluster, { id: "openstack-cinder", namespace });
    const metadata = { name: "openstack-cloud-config", namespace };
    await cluster.client.create(configMaps, { metadata, data: { "ca-bundle.pem": "authority" } });
    await createDriver(cluster, driver);
  });
  afterAll(() => operator?.stop());

  const isSaid = (condition: string) =>
    eventually(async () => expect(await cluster.conditions(driver), operator.log.slice(-1_500)).toContain(condition));
  const deployment = () => cluster.client.get(deployments, controller);

  it("waits for a control plane to be there, and says so", async () => {
    const type = "OpenStackCinderDriverControllerServiceControllerDegraded";
    await isSaid(`${type}=True/SyncError`);
    expect(await cluster.messageOf(driver, type)).toContain(`there is no HostedControlPlane in namespace ${namespace}`);
    expect(await cluster.client.find(deployments, controller)).toBeUndefined();
  });

  it("puts the controller beside it and the nodes into the guest, each with its configuration", async () => {
    const spec = {
      nodeSelector: { role: "cp" },
      labels: { team: "a" },
      tolerations: [{ key: "own", operator: "Exists" }],
    };
    await cluster.client.create(hostedControlPlanes, { metadata: { name: "guest", namespace }, spec } as never);
    const { template } = (await eventually(deployment)).spec ?? {};
    expect(template?.spec).toMatchObject({
      nodeSelector: { role: "cp" },
      priorityClassName: "hypershift-control-plane",
    });
    expect(template?.metadata?.labels).toMatchObject({ team: "a" });
    expect(JSON.stringify(template)).not.toContain("${");
    await eventually(() => cluster.client.get(daemonSets, node));
    const conf = { name: "cloud-conf" };
    const [beside, inGuest] = await Promise.all(
      [namespace, guestNamespace].map((place) =>
        eventually(() => cluster.client.get(configMaps, { ...conf, namespace: place })),
      ),
    );
    expect(beside?.data).toMatchObject({ "ca-bundle.pem": "authority", enable_topology: "false" });
    expect(inGuest?.data).toEqual(beside?.data);
    expect(await cluster.client.find(deployments, { ...controller, namespace: guestNamespace })).toBeUndefined();
  });

  it("has the metrics' Service and certificate beside the control plane, and no monitor there", async () => {
    const metrics = `${controller.name}-metrics`;
    await eventually(() => cluster.client.get(services, { namespace, name: metrics }));
    await eventually(() => cluster.client.get(secrets, { namespace, name: `${metrics}-serving-cert` }));
    await isSaid("OpenStackCinderDriverControlPlaneStaticResourcesControllerDegraded=False/AsExpected");
    expect((await cluster.client.list(serviceMonitors, { namespace })).items).toEqual([]);
  });

  it("says which version runs, once it does", async () => {
    expect((await deployment()).metadata.annotations?.[versionAnnotation]).toBeUndefined();
    const { metadata } = await deployment();
    const condition = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const status = { observedGeneration: metadata.generation, ...counts, conditions: [condition] };
    await cluster.client.patch(
      deployments,
      controller,
      { type: "merge", patch: { status } },
      { subresource: "status" },
    );
    await eventually(async () => expect((await deployment()).metadata.annotations?.[versionAnnotation]).toBe("4.22.0"));
    await isSaid("OpenStackCinderDriverControllerServiceControllerAvailable=True/AsExpected");
  });

  it("restarts the controller when an administrator forces it, by the ClusterCSIDriver in the guest", async () => {
    const patch = { metadata: { annotations: { "operator.openshift.io/force": "now" } } };
    await cluster.client.patch(clusterCSIDrivers, { name: driver }, { type: "merge", patch });
    await eventually(async () =>
      expect((await deployment()).spec?.template.metadata?.annotations).toMatchObject({
        "operator.openshift.io/force": "now",
      }),
    );
  });

  it("asks for nothing that it may not, and for nothing in the management cluster but beside the control plane", () => {
    expect(operator.managementRequests()).not.toEqual([]);
    expect(operator.guestRequests()).not.toEqual([]);
    expect(strayRequests(operator, namespace)).toEqual([]);
  });
});

describe("the operators of other drivers beside a hosted control plane", () => {
  const place = "clusters-others";
  const operators = new Map<string, HostedOperator>();
  let cloud: HostedCloud;
  beforeAll(async () => {
    cloud = await startHostedCloud();
    for (const { id, env } of hostedDrivers) {
      const input = { id, namespace: place, env: { ...env, HYPERSHIFT_IMAGE: "registry.test/hypershift:1" } };
      operators.set(id, await startHostedOperator(cluster, input));
    }
    await becomeHosted(cluster, { namespace: place, cloud });
  });
  afterAll(async () => {
    await Promise.all([...operators.values()].map((operator) => operator.stop()));
    await cloud?.[Symbol.asyncDispose]();
  });

  const operatorOf = (id: string): HostedOperator => {
    const operator = operators.get(id);
    if (operator === undefined) throw new Error(`no operator of ${id} was started`);
    return operator;
  };
  const controllers: Readonly<Record<string, string>> = {
    "azure-disk": "azure-disk-csi-driver-controller",
    "azure-file": "azure-file-csi-driver-controller",
    "openstack-manila": "openstack-manila-csi-controllerplugin",
    "powervs-block": "ibm-powervs-block-csi-driver-controller",
  };
  const controllerOf = (id: string) => ({ namespace: place, name: controllers[id] ?? "" });
  const ids = hostedDrivers.map(({ id }) => id);

  it.each(ids)("%s: the controller is beside the control plane, and the nodes are in the guest", async (id) => {
    const { profile } = operatorOf(id);
    const found = await soon(async () => {
      const deployment = await cluster.client.find(deployments, controllerOf(id));
      expect(deployment, operatorOf(id).log.slice(-1_500)).toBeDefined();
      return deployment;
    });
    expect(found?.spec?.template.spec?.nodeSelector).toEqual({ role: "cp" });
    expect(JSON.stringify(found)).not.toContain("${");
    const inGuest = { namespace: profile.namespace };
    await soon(async () => expect((await cluster.client.list(daemonSets, inGuest)).items).not.toEqual([]));
    expect(await cluster.client.find(deployments, { ...controllerOf(id), ...inGuest })).toBeUndefined();
  });

  it.each(ids)("%s: nothing is wrong, once everybody has said how it is", async (id) => {
    const { driverName, conditionPrefix } = operatorOf(id).profile;
    await soon(async () => {
      const conditions = await cluster.conditions(driverName);
      expect(conditions.filter((condition) => condition.includes("Degraded=True"))).toEqual([]);
      for (const part of ["ControlPlane", "Guest"]) {
        const type = `${conditionPrefix}Driver${part}StaticResourcesControllerDegraded`;
        expect(conditions).toContain(`${type}=False/AsExpected`);
      }
    });
  });

  it.each([
    ["azure-disk", "azure-disk-csi-config"],
    ["azure-file", "azure-file-csi-config"],
    ["openstack-manila", "manila-cloud-credentials"],
    ["powervs-block", powervsCredentials],
  ])("%s: the controller restarts when Secret %s beside it changes", async (id, name) => {
    const ref = { namespace: place, name };
    const [annotation = ""] = Object.keys(dependencyAnnotations([await cluster.client.get(secrets, ref)]));
    const hash = async () => {
      const { spec } = await cluster.client.get(deployments, controllerOf(id));
      return spec?.template.metadata?.annotations?.[annotation];
    };
    await soon(async () => expect(await hash()).toBeDefined());
    const before = await hash();
    await cluster.client.patch(secrets, ref, { type: "merge", patch: { stringData: { changed: "yes" } } });
    await soon(async () => expect(await hash()).not.toBe(before));
  });

  it("Azure's nodes have the cloud's configuration in the guest, and nothing of it is beside the control plane", async () => {
    const name = "azure-cloud-config";
    const copy = await soon(() => cluster.client.get(configMaps, { namespace: guestNamespace, name }));
    expect(copy.data).toMatchObject({ config: "{}" });
    expect(await cluster.client.find(configMaps, { namespace: place, name })).toBeUndefined();
  });

  it("Manila is asked with what is beside the control plane, and its classes are in the guest", async () => {
    const { profile } = operatorOf("openstack-manila");
    const found = await soon(() => cluster.client.get(storageClasses, { name: "csi-manila-default" }));
    expect(found.parameters).toMatchObject({ "csi.storage.k8s.io/provisioner-secret-namespace": profile.namespace });
    const copy = { namespace: profile.namespace, name: "cloud-provider-config" };
    expect((await soon(() => cluster.client.get(configMaps, copy))).data?.["ca-bundle.pem"]).toBe(cloud.authority);
    // Neither the guest's Secrets nor its operator have the credentials.
    const credentials = { namespace: profile.namespace, name: "manila-cloud-credentials" };
    expect(await cluster.client.find(secrets, credentials)).toBeUndefined();
  });

  it.each(ids)("%s: asks for nothing that it may not, and for nothing that is none of its business", (id) => {
    const operator = operatorOf(id);
    expect(operator.managementRequests()).not.toEqual([]);
    expect(operator.guestRequests()).not.toEqual([]);
    expect(strayRequests(operator, place)).toEqual([]);
  });

  it("a driver that does not run there says so, and does nothing", async () => {
    const refusing = await startHostedOperator(cluster, { id: "gcp-pd", namespace: place });
    operators.set("gcp-pd", refusing);
    await soon(async () => expect(refusing.log).toContain("gcp-pd does not run beside a hosted control plane"));
    // Everybody may ask which APIs there are.
    const asked = [...refusing.managementRequests(), ...refusing.guestRequests()];
    expect(asked.filter(({ resource }) => resource !== "").map(requestText)).toEqual([]);
  });
});
