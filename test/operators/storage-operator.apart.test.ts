import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isInvalid } from "@stowage/kube";
import {
  apiServers,
  clusterCSIDrivers,
  clusterOperators,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  csiDrivers,
  customResourceDefinitions,
  type Deployment,
  deployments,
  featureGates,
  localCSIDriver,
  namespaces,
  nodes,
  prometheusRules,
  proxies,
  secrets,
  serviceMonitors,
  storages,
  volumeAttributesClasses,
} from "@stowage/machinery";
import { applyObject } from "@stowage/operator";
import {
  createStorageOperator,
  driverOperators,
  driversNamespace as namespace,
  storageOperatorNamespace,
} from "@stowage/operators/cluster-storage";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { monitoringDefinitions } from "./chain/chain.ts";
import { allDefinitions } from "./driver-operator/operator-cluster.ts";
import { runProgram } from "./driver-operator/own-program.ts";
import { requestText } from "./driver-operator/running-operator.ts";
import { payload } from "./storage-operator/payload.ts";
import { unusedRights } from "./storage-operator/rights.ts";
import { images, RunningStorageOperator } from "./storage-operator/running-storage-operator.ts";
import { openStack, rolledOut, type StorageCluster, startStorageCluster } from "./storage-operator/storage-cluster.ts";

const cinder = "cinder.csi.openstack.org";
const cinderOperator = { namespace, name: "openstack-cinder-csi-driver-operator" };
const manila = "manila.csi.openstack.org";
const manilaOperator = { namespace, name: "manila-csi-driver-operator" };
const localOperator = { namespace, name: "stowage-local-csi-driver-operator" };
const allWell = {
  OpenStackCinderDriverControllerServiceControllerAvailable: "True",
  OpenStackCinderDriverControllerServiceControllerProgressing: "False",
  OpenStackCinderDriverControllerServiceControllerDegraded: "False",
} as const;

const vsphereImages = {
  VMWARE_VSPHERE_DRIVER_OPERATOR_IMAGE: "registry.test/vsphere-operator:1",
  VMWARE_VSPHERE_DRIVER_IMAGE: "registry.test/vsphere:1",
  VMWARE_VSPHERE_SYNCER_IMAGE: "registry.test/syncer:1",
  VSPHERE_PROBLEM_DETECTOR_OPERATOR_IMAGE: "registry.test/detector:1",
};

let cluster: StorageCluster;
let operator: RunningStorageOperator;

beforeAll(async () => {
  cluster = await startStorageCluster();
  operator = new RunningStorageOperator(cluster);
});
afterAll(async () => {
  await operator?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

const deployed = (ref = cinderOperator) =>
  eventually(async (): Promise<Deployment> => {
    const found = await cluster.client.find(deployments, ref);
    if (found === undefined) throw new Error(`there is no Deployment ${ref.name}: ${operator.log.slice(-2000)}`);
    return found;
  });

const operatorContainer = ({ spec }: Deployment) => spec?.template.spec?.containers[0];

const expectStorage = (...conditions: string[]) =>
  eventually(async () => expect(await cluster.storageConditions()).toEqual(expect.arrayContaining(conditions)));

const expectClusterOperator = (...conditions: string[]) =>
  eventually(
    async () => expect(await cluster.clusterOperatorConditions()).toEqual(expect.arrayContaining(conditions)),
    15_000,
  );

/** As when the Pods of both operators of the platform have started, in their present version. */
const rollOut = () =>
  eventually(async () => {
    for (const { name } of [cinderOperator, manilaOperator]) await cluster.setRollout(name, rolledOut);
    const conditions = await cluster.storageConditions();
    expect(conditions).toEqual(
      expect.arrayContaining(["OpenStackCinderProgressing=False/", "ManilaProgressing=False/"]),
    );
  });

describe("the storage operator on OpenStack", () => {
  beforeAll(async () => {
    await cluster.become(openStack);
    await operator.start();
  });
  afterAll(() => operator.stop());

  it("applies all that Cinder's operator needs, with nothing left to fill in", async () => {
    const deployment = await deployed();
    expect(JSON.stringify(deployment)).not.toContain("${");
    expect(operatorContainer(deployment)).toMatchObject({
      image: images.OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE,
      args: expect.arrayContaining(["--v=2"]),
      env: expect.arrayContaining([{ name: "DRIVER_IMAGE", value: images.OPENSTACK_CINDER_DRIVER_IMAGE }]),
    });
    const config = await cluster.client.get(configMaps, { namespace, name: `${cinderOperator.name}-config` });
    expect(config.data?.["config.yaml"]).toContain("minTLSVersion: VersionTLS12");
    const { items } = await cluster.client.list(clusterRoles);
    expect(items.map(({ metadata }) => metadata.name)).toContain(`${cinderOperator.name}-clusterrole`);
    expect((await cluster.driver(cinder)).spec).toMatchObject({ logLevel: "Normal", operatorLogLevel: "Normal" });
  });

  it("waits for the driver's operator to say how it is", async () => {
    await expectStorage(
      "OpenStackCinderCSIDriverOperatorCRAvailable=False/WaitForOperator",
      "OpenStackCinderCSIDriverOperatorCRProgressing=True/WaitForOperator",
      "OpenStackCinderCSIDriverOperatorCRUpgradeable=True/",
      "DefaultStorageClassControllerAvailable=True/",
    );
    await expectClusterOperator(
      "Available=False/ManilaCSIDriverOperatorCR_WaitForOperator::OpenStackCinderCSIDriverOperatorCR_WaitForOperator",
    );
  });

  it("is available when the driver is, and lists what belongs to it", async () => {
    await cluster.report(cinder, allWell);
    // As where the cloud has no Manila: the driver is not there, and nothing is wrong.
    await cluster.report(manila, { CSIControllerDisabled: "True" });
    await rollOut();
    await expectClusterOperator(
      "Available=True/AsExpected",
      "Progressing=False/AsExpected",
      "Degraded=False/AsExpected",
    );
    const { versions, relatedObjects } = (await cluster.clusterOperator())?.status ?? {};
    expect(versions).toEqual([{ name: "operator", version: "1.2.3" }]);
    const related = relatedObjects?.map(({ resource, name }) => `${resource}/${name}`);
    expect(related).toEqual(
      expect.arrayContaining([
        `clustercsidrivers/${cinder}`,
        `clusterroles/${cinderOperator.name}-clusterrole`,
        "storages/cluster",
        "namespaces/openshift-cluster-csi-drivers",
        "clusterrolebindings/cluster-storage-operator-role",
      ]),
    );
  });

  it("says of each of its controllers that it is well, by the names that the originals have", async () => {
    await expectStorage(
      "CSIDriverStarterDegraded=False/AsExpected",
      "ConfigObservationDegraded=False/",
      "DefaultStorageClassControllerDegraded=False/AsExpected",
      "ManagementStateDegraded=False/",
      "SELinuxMountGAReadinessControllerDegraded=False/AsExpected",
      "OpenStackCinderCSIDriverOperatorDegraded=False/AsExpected",
      "OpenStackCinderCSIDriverOperatorDeploymentDegraded=False/AsExpected",
      "OpenStackCinderCSIDriverOperatorServingCertificatesDegraded=False/AsExpected",
      "OpenStackCinderCSIDriverOperatorStaticControllerDegraded=False/AsExpected",
      "StorageOperatorServingCertificatesDegraded=False/AsExpected",
    );
  });

  it("writes nothing while nothing changes", async () => {
    // What was said last is heard of by everybody first.
    await eventually(async () => expect(operator.writes(Date.now() - 3_000)).toEqual([]));
    const sinceMs = Date.now();
    await sleep(30_000);
    expect(operator.writes(sinceMs)).toEqual([]);
  });

  it("puts back what somebody has changed, and keeps what the administrator chose", async () => {
    const patch = { spec: { template: { spec: { priorityClassName: "", priority: 0 } } } };
    await cluster.client.patch(deployments, cinderOperator, { type: "merge", patch });
    await cluster.client.delete(clusterOperators, { name: "storage" });
    const drivers = { type: "merge", patch: { spec: { logLevel: "Trace" } } } as const;
    await cluster.client.patch(clusterCSIDrivers, { name: cinder }, drivers);
    await eventually(async () => {
      const { spec } = await cluster.client.get(deployments, cinderOperator);
      expect(spec?.template.spec?.priorityClassName).toBe("system-cluster-critical");
      expect(await cluster.clusterOperator()).toBeDefined();
    });
    expect((await cluster.driver(cinder)).spec.logLevel).toBe("Trace");
  });

  it("makes a ClusterCSIDriver anew that was deleted, as talkative as storage is, and leaves others alone", async () => {
    await cluster.configure({ logLevel: "Debug" });
    await eventually(async () => expect(operatorContainer(await deployed())?.args).toContain("--v=4"));
    expect((await cluster.driver(cinder)).spec.logLevel).toBe("Trace");
    await cluster.client.delete(clusterCSIDrivers, { name: cinder });
    await eventually(async () =>
      expect((await cluster.driver(cinder)).spec).toMatchObject({ logLevel: "Debug", operatorLogLevel: "Debug" }),
    );
    await cluster.configure({ logLevel: "Normal" });
    await cluster.report(cinder, allWell);
    await rollOut();
  });

  it("hands the proxy and the TLS profile on to the driver's operator", async () => {
    const name = "cluster";
    await cluster.client.create(proxies, { metadata: { name }, spec: {} });
    const status = { httpProxy: "http://proxy.test:3128", noProxy: ".cluster.local" };
    await cluster.client.patch(proxies, { name }, { type: "merge", patch: { status } }, { subresource: "status" });
    const profile = { type: "Modern", modern: {} } as const;
    const strict = { tlsSecurityProfile: profile, tlsAdherence: "StrictAllComponents" } as const;
    await cluster.client.create(apiServers, { metadata: { name }, spec: strict });
    await eventually(async () => {
      const deployment = await deployed();
      expect(operatorContainer(deployment)?.env).toContainEqual({ name: "HTTP_PROXY", value: status.httpProxy });
      expect(deployment.spec?.template.spec?.containers[1]?.args).toContain("--tls-min-version=VersionTLS13");
      const config = await cluster.client.get(configMaps, { namespace, name: `${cinderOperator.name}-config` });
      expect(config.data?.["config.yaml"]).toContain("minTLSVersion: VersionTLS13");
    });
    await cluster.client.delete(proxies, { name });
    await cluster.client.delete(apiServers, { name });
    await eventually(async () =>
      expect(operatorContainer(await deployed())?.env).not.toContainEqual({
        name: "HTTP_PROXY",
        value: status.httpProxy,
      }),
    );
    await rollOut();
  });

  it("holds upgrades back while Pods conflict that a later version refuses, where the gate for that is on", async () => {
    const type = "SELinuxMountGAReadinessControllerUpgradeable";
    const conflicts = { namespace: "openshift-config", name: "selinux-conflicts" };
    const setGates = (...enabled: string[]) => {
      const own = { version: images.OPERATOR_IMAGE_VERSION, enabled: enabled.map((name) => ({ name })), disabled: [] };
      const patch = { status: { featureGates: [own] } };
      const options = { subresource: "status" };
      return cluster.client.patch(featureGates, { name: "cluster" }, { type: "merge", patch }, options);
    };
    await cluster.client.create(featureGates, { metadata: { name: "cluster" }, spec: {} });
    await cluster.client.create(configMaps, { metadata: conflicts, data: { conflictsPresent: "True" } });
    await setGates("SomethingElse");
    expect((await cluster.storageConditions()).join()).not.toContain(type);
    await setGates("SomethingElse", "SELinuxMountGAReadiness");
    await expectStorage(`${type}=False/SELinuxConflictsPresent`);
    await expectClusterOperator("Upgradeable=False/SELinuxMountGAReadinessController_SELinuxConflictsPresent");
    const patch = { data: { conflictsPresent: "False" } };
    await cluster.client.patch(configMaps, conflicts, { type: "merge", patch });
    await expectStorage(`${type}=True/AsExpected`);
    await expectClusterOperator("Upgradeable=True/AsExpected");
    await setGates();
    await eventually(async () => expect((await cluster.storageConditions()).join()).not.toContain(type));
  });

  it("touches nothing while it is unmanaged, and says that it cannot be removed", async () => {
    await cluster.configure({ managementState: "Unmanaged" });
    await expectClusterOperator(
      "Available=Unknown/Unmanaged",
      "Degraded=Unknown/Unmanaged",
      "Progressing=Unknown/Unmanaged",
    );
    await cluster.client.delete(deployments, cinderOperator);
    await cluster.configure({ managementState: "Removed" });
    await expectStorage("ManagementStateDegraded=True/Removed");
    expect(await cluster.client.find(deployments, cinderOperator)).toBeUndefined();
    expect(await cluster.driver(cinder)).toBeDefined();
    await cluster.configure({ managementState: "Managed" });
    await deployed();
    await expectStorage("ManagementStateDegraded=False/");
    await rollOut();
    await expectClusterOperator("Available=True/AsExpected", "Progressing=False/AsExpected");
  });

  it("rolls new images out, progressing and then not, and available all the time", async () => {
    const seen = new Set<string>();
    const stop = new AbortController();
    const watching = cluster.client
      .watch(clusterOperators, { fieldSelector: "metadata.name=storage", signal: stop.signal }, ({ object }) => {
        for (const { type, status } of object.status?.conditions ?? []) seen.add(`${type}=${status}`);
      })
      .catch(() => {});
    await operator.stop();
    const image = "registry.test/cinder:2";
    await operator.start({ ...images, OPERATOR_IMAGE_VERSION: "1.2.4", OPENSTACK_CINDER_DRIVER_IMAGE: image });
    await eventually(async () => {
      expect(operatorContainer(await deployed())?.env).toContainEqual({ name: "DRIVER_IMAGE", value: image });
      expect(seen).toContain("Progressing=True");
    });
    await rollOut();
    await expectClusterOperator("Progressing=False/AsExpected", "Available=True/AsExpected");
    const { status } = (await cluster.clusterOperator()) ?? {};
    expect(status?.versions).toEqual([{ name: "operator", version: "1.2.4" }]);
    expect(seen).not.toContain("Available=False");
    stop.abort();
    await watching;
  });

  it("is degraded with the Pod's reason when a rollout fails", async () => {
    await cluster.configure({ logLevel: "Trace" });
    await eventually(async () => expect(operatorContainer(await deployed())?.args).toContain("--v=6"));
    await cluster.createPod(cinderOperator.name, {
      containerStatuses: [
        {
          name: cinderOperator.name,
          image: images.OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE,
          imageID: "",
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: "ErrImagePull", message: "no such host" } },
        },
      ],
    });
    const reason = "ProgressDeadlineExceeded";
    await cluster.setRollout(cinderOperator.name, { type: "Progressing", status: "False", reason, message: "late" });
    await expectStorage("OpenStackCinderCSIDriverOperatorDeploymentDegraded=True/SyncError");
    const message = await cluster.storageMessage("OpenStackCinderCSIDriverOperatorDeploymentDegraded");
    expect(message).toContain("ImagePullBackOff");
    expect(message).toContain(cinderOperator.name);
  });

  it("takes the ClusterOperator away with the Storage, and comes back with it", async () => {
    await cluster.client.delete(storages, { name: "cluster" });
    await eventually(async () => expect(await cluster.clusterOperator()).toBeUndefined());
    await cluster.client.create(storages, { metadata: { name: "cluster" }, spec: { managementState: "Managed" } });
    await expectClusterOperator("Available=True/AsExpected");
  });
});

describe("the storage operator elsewhere", () => {
  afterEach(() => operator.stop());

  it("starts the local driver's operator only where that is asked for", async () => {
    await cluster.become({
      spec: { platformSpec: { type: "External", external: { platformName: "local" } } },
      status: { controlPlaneTopology: "SingleReplica", platformStatus: { type: "External" } },
    });
    await operator.start();
    const deployment = await deployed(localOperator);
    expect(operatorContainer(deployment)?.image).toBe(images.LOCAL_DRIVER_OPERATOR_IMAGE);
    // No node has the label of masters here, so it must not be asked for.
    expect(deployment.spec?.template.spec?.nodeSelector ?? {}).toEqual({});
    expect((await cluster.driver(localCSIDriver)).spec.managementState).toBe("Managed");
    expect(await cluster.client.find(deployments, cinderOperator)).toBeUndefined();
  });

  it.each([
    ["AWS", "aws-ebs", "aws-efs", "efs.csi.aws.com", "AWSEFS", { ROLEARN: "arn:aws:iam::1:role/efs" }],
    ["GCP", "gcp-pd", "gcp-filestore", "filestore.csi.storage.gke.io", "GCPFilestore", { POOL_ID: "pool" }],
  ] as const)(
    "on %s starts %s at once, and %s while somebody wants it, by the ClusterCSIDriver %s",
    async (...[platform, needed, optional, driverName, prefix, identity]) => {
      await cluster.become({
        spec: { platformSpec: { type: platform } },
        status: { controlPlaneTopology: "HighlyAvailable", platformStatus: { type: platform } },
      });
      await operator.start({ ...images, ...identity });
      const nameOf = (id: string) => ({ namespace, name: `${id}-csi-driver-operator` });
      expect(JSON.stringify(await deployed(nameOf(needed)))).not.toContain("${");
      expect(await cluster.client.find(deployments, nameOf(optional))).toBeUndefined();
      expect(await cluster.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined();

      await cluster.client.create(clusterCSIDrivers, {
        metadata: { name: driverName },
        spec: { managementState: "Managed" },
      });
      const [[name, value]] = Object.entries(identity) as [[string, string]];
      const { env } = operatorContainer(await deployed(nameOf(optional))) ?? {};
      expect(env).toContainEqual({ name, value });
      await expectStorage(`${prefix}CSIDriverOperatorCRAvailable=False/WaitForOperator`);

      await cluster.client.delete(clusterCSIDrivers, { name: driverName });
      const ofResource = async () =>
        (await cluster.storageConditions()).filter((each) => each.startsWith(`${prefix}CSIDriverOperatorCR`));
      await eventually(async () => expect(await ofResource()).toEqual([]));
      expect(await cluster.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined();
    },
    60_000,
  );

  it("is quiet and upgradeable where there is no driver for the platform", async () => {
    await cluster.become({
      spec: { platformSpec: { type: "None" } },
      status: { controlPlaneTopology: "HighlyAvailable", platformStatus: { type: "None" } },
    });
    await operator.start();
    await expectStorage(
      "StorageOperatorUpgradeable=True/",
      "DefaultStorageClassControllerDisabled=True/UnsupportedPlatform",
      "DefaultStorageClassControllerAvailable=True/",
    );
    await expectClusterOperator(
      "Available=True/AsExpected",
      "Degraded=False/AsExpected",
      "Progressing=False/AsExpected",
      "Upgradeable=True/AsExpected",
    );
    expect((await cluster.client.list(deployments, { namespace })).items).toEqual([]);
    expect((await cluster.client.list(clusterCSIDrivers)).items).toEqual([]);
  });

  it("has claims validated where there is an image for it, on any platform, and tells of classes that do not match", async () => {
    await cluster.become({
      spec: { platformSpec: { type: "None" } },
      status: { controlPlaneTopology: "External", platformStatus: { type: "None" } },
    });
    const image = "registry.test/validator:1";
    await operator.start({ ...images, VOLUME_DATA_SOURCE_VALIDATOR_IMAGE: image }, ["--listen=127.0.0.1:0"]);
    const validator = { namespace: storageOperatorNamespace, name: "volume-data-source-validator" };
    expect((await deployed(validator)).spec?.template.spec).toMatchObject({ containers: [{ image }] });
    const named = "VolumeDataSourceValidatorDeploymentController";
    const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "late" } as const;
    await cluster.setRollout(validator.name, late, validator.namespace);
    await expectStorage(`${named}Degraded=True/SyncError`);
    await cluster.setRollout(validator.name, rolledOut, validator.namespace);
    await expectStorage(`${named}Degraded=False/AsExpected`, `${named}Progressing=False/AsExpected`);
    expect((await cluster.storageConditions()).join()).not.toContain(`${named}Available`);

    const driverName = "classes.test";
    const classes: Record<string, Record<string, string>> = { slow: { iops: "1" }, fast: { iops: "9", type: "b" } };
    for (const [name, parameters] of Object.entries(classes)) {
      await cluster.client.create(volumeAttributesClasses, { metadata: { name }, driverName, parameters });
    }
    const url = /"url":"(?<url>[^"]+)"/u.exec(operator.log)?.groups?.["url"];
    await eventually(async () => {
      const figures = await (await fetch(`${url}/metrics`)).text();
      expect(figures).toContain(`openshift_cluster_storage_vac_mismatch_parameters{driver="${driverName}"} 1`);
    });
  });

  it("has vSphere looked at for problems, and tells of them unless somebody does not want that", async () => {
    await cluster.install(...monitoringDefinitions);
    await cluster.become({
      spec: { platformSpec: { type: "VSphere" } },
      status: { platformStatus: { type: "VSphere" } },
    });
    const inNamespace = (name: string) => ({ namespace: storageOperatorNamespace, name });
    const login = inNamespace("vsphere-cloud-credentials");
    await cluster.client.create(secrets, { metadata: login, stringData: { "vc.test.password": "one" } });
    await operator.start({ ...images, ...vsphereImages });
    const detector = inNamespace("vsphere-problem-detector-operator");
    const first = await deployed(detector);
    expect(operatorContainer(first)?.image).toBe(vsphereImages.VSPHERE_PROBLEM_DETECTOR_OPERATOR_IMAGE);
    const config = await cluster.client.get(configMaps, inNamespace(`${detector.name}-config`));
    expect(config.data?.["config.yaml"]).toContain("minTLSVersion: VersionTLS12");
    const named = "VSphereProblemDetectorDeploymentController";
    await expectStorage(`${named}Progressing=True/Deploying`);
    await cluster.setRollout(detector.name, rolledOut, detector.namespace);
    await expectStorage(
      `${named}Progressing=False/AsExpected`,
      `${named}Degraded=False/AsExpected`,
      "VSphereProblemDetectorStarterStaticControllerDegraded=False/AsExpected",
      "VSphereProblemDetectorMonitoringControllerDegraded=False/AsExpected",
    );
    expect((await cluster.storageConditions()).join()).not.toContain(`${named}Available`);

    // Restarted, so that a login that is right is tried at once.
    await cluster.client.patch(secrets, login, { type: "merge", patch: { stringData: { "vc.test.password": "two" } } });
    await eventually(async () => expect((await deployed(detector)).metadata.generation).toBe(2));

    const alerts = inNamespace("vsphere-problem-detector");
    const areThere = () =>
      eventually(async () => expect(await cluster.client.find(prometheusRules, alerts)).toBeDefined());
    const areGone = () =>
      eventually(async () => expect(await cluster.client.find(prometheusRules, alerts)).toBeUndefined());
    await areThere();
    expect(await cluster.client.find(serviceMonitors, alerts)).toBeDefined();
    await cluster.client.create(configMaps, { metadata: alerts, data: { "config.yaml": "alertsDisabled: true\n" } });
    await areGone();
    await eventually(async () =>
      expect(await cluster.storageMessage("VSphereProblemDetectorMonitoringControllerAvailable")).toContain("disabled"),
    );
    await cluster.client.delete(configMaps, alerts);
    await areThere();
    const driver = { name: "csi.vsphere.vmware.com" };
    const patch = { spec: { managementState: "Removed" } };
    await cluster.client.patch(clusterCSIDrivers, driver, { type: "merge", patch });
    await areGone();
    await cluster.client.delete(deployments, detector);
    await cluster.client.delete(secrets, login);
  });

  it("knows a cluster without an Infrastructure by its nodes, and starts once they say what they are, for good", async () => {
    await cluster.become();
    await operator.start();
    await expectStorage("StorageOperatorUpgradeable=True/");
    const labels = { "node-role.kubernetes.io/control-plane": "" };
    await cluster.client.create(nodes, {
      metadata: { name: "node-1", labels },
      spec: { providerID: "openstack:///0f1e2d3c" },
    });
    const deployment = await deployed();
    expect(deployment.spec?.template.spec?.nodeSelector).toEqual(labels);
    await eventually(async () =>
      expect(await cluster.storageConditions()).not.toContain("StorageOperatorUpgradeable=True/"),
    );
    // A driver that lost its operator would go on with nobody to look after it.
    await cluster.client.delete(nodes, { name: "node-1" });
    await cluster.client.delete(deployments, cinderOperator);
    await eventually(async () => expect((await deployed()).metadata.uid).not.toBe(deployment.metadata.uid));
  });

  it("does not touch a driver that somebody else has installed, and says what to do", async () => {
    await cluster.become(openStack);
    await cluster.client.create(csiDrivers, { metadata: { name: cinder }, spec: { attachRequired: true } });
    await operator.start();
    await expectStorage("CSIDriverStarterDegraded=True/SyncError");
    const message = await cluster.storageMessage("CSIDriverStarterDegraded");
    expect(message).toContain(`CSIDriver ${cinder}`);
    expect(message).toContain(`remove that driver and its CSIDriver ${cinder}.`);
    expect(await cluster.client.find(deployments, cinderOperator)).toBeUndefined();
    expect(await cluster.client.find(clusterCSIDrivers, { name: cinder })).toBeUndefined();
    await cluster.client.delete(csiDrivers, { name: cinder });
    await deployed();
    await expectStorage("CSIDriverStarterDegraded=False/AsExpected");
  });

  it("says which variable has no image, and applies the rest", async () => {
    await cluster.become(openStack);
    const { OPENSTACK_CINDER_DRIVER_IMAGE: _, ...others } = images;
    await operator.start(others);
    await expectStorage("OpenStackCinderCSIDriverOperatorDeploymentDegraded=True/SyncError");
    const message = await cluster.storageMessage("OpenStackCinderCSIDriverOperatorDeploymentDegraded");
    expect(message).toContain("OPENSTACK_CINDER_DRIVER_IMAGE");
    expect(message).toContain(`Deployment ${cinderOperator.name}`);
    expect(message).toContain("Set OPENSTACK_CINDER_DRIVER_IMAGE on Deployment cluster-storage-operator");
    expect(await cluster.client.find(deployments, cinderOperator)).toBeUndefined();
    await expectStorage("OpenStackCinderCSIDriverOperatorStaticControllerDegraded=False/AsExpected");
  });

  it("names the file of an asset that cannot be read, makes nothing of its driver, and says the rest", async () => {
    await cluster.become(openStack);
    const assets = join(cluster.folder, "assets");
    const entries = driverOperators.map((entry) => ({ ...entry, assets: pathToFileURL(`${assets}/${entry.id}/`) }));
    for (const { id, assets: folder } of driverOperators) cpSync(folder, join(assets, id), { recursive: true });
    writeFileSync(join(assets, "openstack-cinder", "02_sa.yaml"), "kind: [\n");
    const own = { namespace: storageOperatorNamespace, env: images };
    await using _running = runProgram(cluster, own, (deps) => createStorageOperator(deps, { entries }));
    await expectStorage("CSIDriverStarterDegraded=True/SyncError", "DefaultStorageClassControllerAvailable=True/");
    expect(await cluster.storageMessage("CSIDriverStarterDegraded")).toMatch(
      /^csidriveroperators\/openstack-cinder\/02_sa\.yaml, line \d is not YAML: .*\. Correct the file at the line/su,
    );
    expect(await cluster.client.find(deployments, cinderOperator)).toBeUndefined();
    expect(await cluster.client.find(clusterCSIDrivers, { name: cinder })).toBeUndefined();
  });

  it("puts right at its start what was changed while nobody looked", async () => {
    await cluster.become(openStack);
    const role = { name: `${cinderOperator.name}-clusterrole` };
    const binding = { name: `${cinderOperator.name}-clusterrolebinding` };
    const { rules } = await cluster.client.get(clusterRoles, role);
    await cluster.client.patch(clusterRoles, role, { type: "merge", patch: { rules: [] } });
    const { metadata: _, ...bound } = await cluster.client.get(clusterRoleBindings, binding);
    await cluster.client.delete(clusterRoleBindings, binding);
    const roleRef = { ...bound.roleRef, name: "view" };
    await cluster.client.create(clusterRoleBindings, { ...bound, metadata: binding, roleRef });
    await operator.start();
    await eventually(async () => {
      expect((await cluster.client.get(clusterRoles, role)).rules).toEqual(rules);
      expect((await cluster.client.get(clusterRoleBindings, binding)).roleRef).toEqual(bound.roleRef);
    });
  });

  it("goes on when an API that it looks at vanishes, and when it comes back", async () => {
    await cluster.become(openStack);
    await operator.start();
    await deployed();
    const definition = allDefinitions.find(({ metadata }) => metadata.name === "proxies.config.openshift.io");
    if (definition === undefined) throw new Error("there is no definition of the Proxy");
    await cluster.client.delete(customResourceDefinitions, { name: definition.metadata.name ?? "" });
    await cluster.configure({ logLevel: "Debug" });
    await eventually(async () => expect(operatorContainer(await deployed())?.args).toContain("--v=4"));
    await cluster.install(definition);
    await cluster.configure({ logLevel: "Normal" });
    await eventually(async () => expect(operatorContainer(await deployed())?.args).toContain("--v=2"));
    expect(operator.log).not.toContain("uncaught");
  });
});

describe("the storage operator's rights", () => {
  it("are all that it asks for", () => {
    const refused = operator.requests().filter(({ isAllowed }) => !isAllowed);
    expect(refused.map(requestText)).toEqual([]);
  });

  it("are no more than it needs", () => {
    expect(unusedRights(operator.requests())).toEqual([]);
  });

  it("do not go around the API server's check of a driver's name", async () => {
    const creation = cluster.client.create(clusterCSIDrivers, { metadata: { name: "unknown.csi.test" }, spec: {} });
    await expect(creation).rejects.toSatisfy(isInvalid);
  });
});

describe("the payload of the storage operator", () => {
  it("is never written again once it is there", async () => {
    const deps = { ...cluster, events: { normal() {}, warning() {} } };
    const { signal } = new AbortController();
    const kept = payload().filter(({ kind }) => !["ClusterOperator", "Storage"].includes(kind));
    for (const object of kept) await applyObject(deps, object, { signal });
    const again = await Promise.all(kept.map((object) => applyObject(deps, object, { signal })));
    const written = again.filter(({ change }) => change !== "none");
    expect(written.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([]);
  });

  const creation = (name: string, labels: Record<string, string>) =>
    cluster.client.create(namespaces, { metadata: { name, labels: prefixed(labels) } }, { dryRun: true });
  const prefixed = (labels: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [`storage.openshift.io/${name}-change-policy`, value]),
    );

  it.each([
    [{ fsgroup: "onrootmismatch" }, "fsgroup-change-policy must be Always or OnRootMismatch"],
    [{ fsgroup: "" }, "fsgroup-change-policy must be Always or OnRootMismatch"],
    [{ selinux: "Mount" }, "selinux-change-policy must be Recursive or MountOption"],
  ])("refuses a namespace with %j, and says what may be there", async (labels, message) => {
    // A new policy counts a moment after it was made.
    await eventually(async () => {
      await expect(creation("mistaken", labels)).rejects.toSatisfy(isInvalid);
      await expect(creation("mistaken", labels)).rejects.toThrow(message);
    });
  });

  it.each<Record<string, string>>([
    {},
    { fsgroup: "Always", selinux: "Recursive" },
    { fsgroup: "OnRootMismatch", selinux: "MountOption" },
  ])("lets a namespace with %j be", async (labels) => {
    await expect(creation("right", labels)).resolves.toBeDefined();
  });
});
