import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  apiServers,
  clusterCSIDrivers,
  clusterRoleBindings,
  configMaps,
  csiDrivers,
  customResourceDefinitions,
  daemonSets,
  deployments,
  events,
  type KubernetesObject,
  namespaces,
  proxies,
  type ResourceType,
  secrets,
  serviceMonitors,
  services,
  storageClasses,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { dataHash } from "@stowage/operator";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { assetIdentities, namesOf, readAll } from "./driver-operator/applied-objects.ts";
import {
  allDefinitions,
  type OperatorCluster,
  serviceMonitorDefinition,
  startOperatorCluster,
} from "./driver-operator/operator-cluster.ts";
import { runOwnProgram } from "./driver-operator/own-program.ts";
import {
  becomeAvailable,
  becomeAvailableOnNodes,
  becomeOpenStack,
  createDriver,
  namespace,
} from "./driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "./driver-operator/running-operator.ts";
import { unusedRights } from "./driver-operator/unused-rights.ts";

let cluster: OperatorCluster;

beforeAll(async () => {
  cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions);
  await cluster.client.create(namespaces, { metadata: { name: namespace } });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** As the administrator. */
const patch = <T extends KubernetesObject>(
  type: ResourceType<T>,
  ref: { name: string; namespace?: string },
  change: object,
) => cluster.client.patch(type, ref, { type: "merge", patch: change });

describe("the operator of Cinder", () => {
  const driver = "cinder.csi.openstack.org";
  const controller = { namespace, name: "openstack-cinder-csi-driver-controller" };
  const node = { namespace, name: "openstack-cinder-csi-driver-node" };
  const certificate = { namespace, name: "openstack-cinder-csi-driver-controller-metrics-serving-cert" };
  const cloudConf = { namespace, name: "cloud-conf" };
  const credentials = { namespace, name: "openstack-cloud-credentials" };
  const controllerService = "OpenStackCinderDriverControllerServiceController";
  const nodeService = "OpenStackCinderDriverNodeServiceController";
  let operator: RunningOperator;

  const setSpec = (spec: object) => patch(clusterCSIDrivers, { name: driver }, { spec });
  const deployment = () => cluster.client.get(deployments, controller);
  const daemonSet = () => cluster.client.get(daemonSets, node);
  const containers = async () => (await deployment()).spec?.template.spec?.containers ?? [];
  const words = async () => (await containers()).flatMap(({ args = [] }) => args);
  const annotations = async () => (await deployment()).spec?.template.metadata?.annotations ?? {};
  const isTrue = (type: string, isSo = "True") =>
    eventually(async () => expect((await cluster.conditions(driver)).join(" ")).toContain(`${type}=${isSo}/`));

  beforeAll(async () => {
    operator = new RunningOperator(cluster, await loadDriverProfile("openstack-cinder"));
  });
  afterAll(() => operator.stop());

  it("does nothing before there is a ClusterCSIDriver, and says so once", async () => {
    await operator.start();
    await eventually(async () => expect(operator.log).toContain("waiting for the ClusterCSIDriver"));
    expect(operator.log.match(/waiting for the ClusterCSIDriver/gu)).toHaveLength(1);
    expect(operator.writes()).toEqual([]);
  });

  it("makes everything from its assets, without a placeholder left and without a second rollout", async () => {
    await becomeOpenStack(cluster);
    await createDriver(cluster, driver);
    await isTrue(`${controllerService}Available`, "False");
    await isTrue("OpenStackCinderDriverGuestStaticResourcesControllerDegraded", "False");
    await isTrue("OpenStackCinderDriverControlPlaneStaticResourcesControllerDegraded", "False");
    const wanted = assetIdentities(operator.profile, "combined");
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    const found = await readAll(cluster, wanted);
    expect(found.length).toBeGreaterThan(20);
    expect(JSON.stringify(found)).not.toContain("${");
    expect((await deployment()).spec?.replicas).toBe(2);
    expect([(await deployment()).metadata.generation, (await daemonSet()).metadata.generation]).toEqual([1, 1]);
    const said = [
      "ConfigObservationDegraded=False/",
      "ConfigSyncDegraded=False/AsExpected",
      "ManagementStateDegraded=False/",
      "OpenStackCinderDriverControlPlaneStaticResourcesControllerDegraded=False/AsExpected",
      "OpenStackCinderDriverGuestStaticResourcesControllerDegraded=False/AsExpected",
      "OpenStackCinderDriverServingCertificatesControllerDegraded=False/AsExpected",
      "StorageClassControllerDegraded=False/AsExpected",
      "VolumeSnapshotClassControllerDegraded=False/AsExpected",
      `${controllerService}Available=False/Deploying`,
      `${controllerService}Degraded=False/AsExpected`,
      `${controllerService}Progressing=True/Deploying`,
      `${nodeService}Available=False/Deploying`,
      `${nodeService}Degraded=False/AsExpected`,
      `${nodeService}Progressing=True/Deploying`,
    ].toSorted();
    // What is well is said a moment after everything is made.
    await eventually(async () => expect(await cluster.conditions(driver)).toEqual(said));
  });

  it("configures the driver from the cloud's configuration: block storage alone, and the authority", async () => {
    const { data } = await cluster.client.get(configMaps, cloudConf);
    expect(data).toMatchObject({ enable_topology: "false", "ca-bundle.pem": "authority" });
    expect(data?.["cloud.conf"]).toContain("[BlockStorage]\nrescan-on-resize = yes\n\n[Global]\nuse-clouds  = true\n");
    expect(data?.["cloud.conf"]).not.toContain("secret-name");
    await cluster.client.create(configMaps, {
      metadata: { name: "cinder-csi-config", namespace: "openshift-config" },
      data: { config: "[BlockStorage]\nignore-volume-az = True", enable_topology: "true" },
    });
    await eventually(async () => {
      const { data: now } = await cluster.client.get(configMaps, cloudConf);
      expect(now?.["cloud.conf"]).toContain("ignore-volume-az = True");
      expect(now?.["enable_topology"]).toBe("true");
    });
    const hashOf = async () => dataHash((await cluster.client.get(configMaps, cloudConf)).data);
    await eventually(async () => expect(Object.values(await annotations())).toContain(await hashOf()));
  });

  it("is available when its workloads are", async () => {
    await becomeAvailable(cluster, controller.name);
    await becomeAvailableOnNodes(cluster, node.name);
    for (const each of [controllerService, nodeService]) {
      await isTrue(`${each}Available`);
      await isTrue(`${each}Progressing`, "False");
    }
  });

  it("writes nothing while nothing changes", async () => {
    // What was said of the last test comes back by the watches.
    const isQuiet = async () => expect(operator.writes(Date.now() - 3_000)).toEqual([]);
    await eventually(isQuiet);
    const sinceMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    expect(operator.writes(sinceMs)).toEqual([]);
    const watches = operator.requests().filter(({ verb, code }) => verb === "watch" && code === 200);
    expect(new Set(watches.map(requestText)).size).toBeLessThanOrEqual(13);
    expect(operator.requests(sinceMs).length).toBeLessThanOrEqual(6);
  });

  it("undoes what a user has changed everywhere at once", async () => {
    const before = (await cluster.client.get(secrets, certificate)).data;
    await Promise.all([
      patch(deployments, controller, { spec: { replicas: 7, template: { spec: { hostNetwork: true } } } }),
      patch(daemonSets, node, { spec: { template: { spec: { priorityClassName: null, nodeSelector: { a: "b" } } } } }),
      patch(configMaps, cloudConf, { data: { "cloud.conf": "nonsense" } }),
      patch(
        configMaps,
        { namespace, name: "openstack-cinder-csi-driver-trusted-ca-bundle" },
        { metadata: { labels: null } },
      ),
      patch(volumeSnapshotClasses, { name: "standard-csi" }, { parameters: { "force-create": "perhaps" } }),
      patch(clusterCSIDrivers, { name: driver }, { spec: { observedConfig: null } }),
      cluster.client.delete(storageClasses, { name: "standard-csi" }),
      cluster.client.delete(secrets, certificate),
    ]);
    await eventually(async () => {
      const { spec } = await deployment();
      expect([spec?.replicas, spec?.template.spec?.hostNetwork]).toEqual([2, undefined]);
      expect((await daemonSet()).spec?.template.spec?.nodeSelector).toEqual({ "kubernetes.io/os": "linux" });
      expect((await cluster.client.get(configMaps, cloudConf)).data?.["cloud.conf"]).toContain("[Global]");
      const { metadata } = await cluster.client.get(configMaps, {
        namespace,
        name: "openstack-cinder-csi-driver-trusted-ca-bundle",
      });
      expect(metadata.labels).toMatchObject({ "config.openshift.io/inject-trusted-cabundle": "true" });
      const snapshots = await cluster.client.get(volumeSnapshotClasses, { name: "standard-csi" });
      expect(snapshots.parameters).toEqual({ "force-create": "false" });
      expect((await cluster.driver(driver)).spec.observedConfig).toHaveProperty("targetcsiconfig.servingInfo");
      expect(await cluster.client.find(storageClasses, { name: "standard-csi" })).toBeDefined();
      expect((await cluster.client.find(secrets, certificate))?.data).not.toEqual(before);
    });
    await eventually(async () => expect((await cluster.conditions(driver)).filter(isDegraded)).toEqual([]));
  });

  it("follows the log level, in the driver and in itself", async () => {
    await setSpec({ logLevel: "Trace", operatorLogLevel: "TraceAll" });
    await eventually(async () =>
      expect(new Set((await words()).filter((word) => word.startsWith("--v=")))).toEqual(new Set(["--v=6"])),
    );
    await eventually(async () => {
      const { items } = await cluster.client.list(events, { namespace });
      expect(items.map(({ reason }) => reason)).toContain("OperatorLogLevelChange");
    });
    await setSpec({ logLevel: "Normal", operatorLogLevel: "Normal" });
    await eventually(async () => expect(await words()).toContain("--v=2"));
  });

  it("passes on the cluster's proxy and TLS profile", async () => {
    const status = { httpsProxy: "http://user:secret@proxy:3128", noProxy: ".local" };
    await cluster.client.patch(
      proxies,
      { name: "cluster" },
      { type: "merge", patch: { status } },
      { subresource: "status" },
    );
    await patch(apiServers, { name: "cluster" }, { spec: { tlsSecurityProfile: { type: "Modern", modern: {} } } });
    await eventually(async () => {
      const env = (await containers()).find(({ name }) => name === "csi-driver")?.env;
      expect(env).toContainEqual({ name: "HTTPS_PROXY", value: "http://user:secret@proxy:3128" });
      expect(await words()).toContain("--tls-min-version=VersionTLS13");
    });
    const { items } = await cluster.client.list(events, { namespace });
    expect(JSON.stringify(items)).not.toContain("secret@");
    expect(operator.log).not.toContain("secret@");
    await cluster.client.patch(
      proxies,
      { name: "cluster" },
      { type: "merge", patch: { status: { httpsProxy: null, noProxy: null } } },
      { subresource: "status" },
    );
    await eventually(async () => expect(JSON.stringify(await containers())).not.toContain("HTTPS_PROXY"));
  });

  it("restarts the Pods when credentials are rotated, and when the trusted authorities come", async () => {
    await patch(secrets, credentials, { stringData: { "clouds.yaml": "clouds: {other: {}}" } });
    const hash = dataHash((await cluster.client.get(secrets, credentials)).data);
    await eventually(async () => {
      expect(Object.values(await annotations())).toContain(hash);
      expect(Object.values((await daemonSet()).spec?.template.metadata?.annotations ?? {})).toContain(hash);
    });
    const bundle = { namespace, name: "openstack-cinder-csi-driver-trusted-ca-bundle" };
    await patch(configMaps, bundle, { data: { "ca-bundle.crt": "authorities" } });
    await eventually(async () => {
      const mounts = (await containers()).find(({ name }) => name === "csi-driver")?.volumeMounts ?? [];
      expect(mounts.map(({ mountPath }) => mountPath)).toContain("/etc/pki/ca-trust/extracted/pem");
    });
    expect((await cluster.client.get(configMaps, bundle)).data).toEqual({ "ca-bundle.crt": "authorities" });
  });

  it("names a Secret without its key and a configuration that cannot be read, and recovers", async () => {
    const degraded = "ConfigSyncDegraded";
    await patch(secrets, credentials, { data: { "clouds.yaml": null } });
    await isTrue(degraded);
    expect(await cluster.messageOf(driver, degraded)).toBe(
      `Secret ${namespace}/openstack-cloud-credentials has no key clouds.yaml. ` +
        `Put the cloud's credentials into this key of Secret ${namespace}/openstack-cloud-credentials.`,
    );
    await patch(secrets, credentials, { stringData: { "clouds.yaml": "clouds: {}" } });
    await isTrue(degraded, "False");
    const user = { namespace: "openshift-config", name: "cinder-csi-config" };
    await patch(configMaps, user, { data: { config: "[BlockStorage\nx" } });
    await isTrue(degraded);
    expect(await cluster.messageOf(driver, degraded)).toBe(
      "ConfigMap openshift-config/cinder-csi-config, key config, line 1: a section is not written as [name]. " +
        "Correct the ConfigMap or the Secret that the message names; it is read again when it changes.",
    );
    await cluster.client.delete(configMaps, user);
    await isTrue(degraded, "False");
  });

  it("puts all sidecars into one container when it is told to, and says what it cannot be told", async () => {
    await setSpec({ unsupportedConfigOverrides: { sidecars: "Combined" } });
    await eventually(async () => expect((await containers()).map(({ name }) => name)).toContain("csi-sidecars"));
    expect((await containers()).map(({ name }) => name)).not.toContain("csi-provisioner");
    await setSpec({ unsupportedConfigOverrides: { sidecars: "Together" } });
    await isTrue(`${controllerService}Degraded`);
    const message = await cluster.messageOf(driver, `${controllerService}Degraded`);
    expect(message).toContain(
      `ClusterCSIDriver ${driver}: spec.unsupportedConfigOverrides.sidecars is "Together", and this driver has Separate and Combined. ` +
        "Set the field to Separate or Combined, or take it away.",
    );
    expect((await containers()).map(({ name }) => name)).toContain("csi-sidecars");
    await setSpec({ unsupportedConfigOverrides: null });
    await eventually(async () => expect((await containers()).map(({ name }) => name)).toContain("csi-provisioner"));
    await isTrue(`${controllerService}Degraded`, "False");
  });

  it("leaves everything alone while it is unmanaged, and cannot be removed", async () => {
    // Of Unmanaged alone nothing is said; after Removed it is said that there is nothing to complain of any more.
    await setSpec({ managementState: "Removed" });
    await isTrue("ManagementStateDegraded");
    await setSpec({ managementState: "Unmanaged" });
    await isTrue("ManagementStateDegraded", "False");
    await patch(deployments, controller, { spec: { replicas: 5 } });
    await patch(configMaps, cloudConf, { metadata: { labels: { seen: "yes" } }, data: { "cloud.conf": "own" } });
    await setSpec({ managementState: "Removed" });
    await isTrue("ManagementStateDegraded");
    expect(await cluster.messageOf(driver, "ManagementStateDegraded")).toBe(
      "Removed is not supported for OpenStackCinderCSIDriver operator",
    );
    expect((await deployment()).spec?.replicas).toBe(5);
    expect((await cluster.client.get(configMaps, cloudConf)).data).toEqual(
      expect.objectContaining({ "cloud.conf": "own" }),
    );
    await setSpec({ managementState: "Managed" });
    await eventually(async () => expect((await deployment()).spec?.replicas).toBe(2));
    await eventually(async () =>
      expect((await cluster.client.get(configMaps, cloudConf)).data?.["cloud.conf"]).toContain("[Global]"),
    );
    expect((await cluster.client.get(configMaps, cloudConf)).metadata.labels).toEqual({ seen: "yes" });
  });

  it("goes on without an API that vanishes, and rolls out nothing without an image", async () => {
    const monitors = { name: serviceMonitorDefinition.metadata.name ?? "" };
    await cluster.client.delete(customResourceDefinitions, monitors);
    await eventually(async () =>
      expect(await cluster.client.find(customResourceDefinitions, monitors)).toBeUndefined(),
    );
    // Another variant of the monitor is due at once.
    await setSpec({ unsupportedConfigOverrides: { sidecars: "Combined" } });
    await eventually(async () => expect((await containers()).map(({ name }) => name)).toContain("csi-sidecars"));
    await setSpec({ unsupportedConfigOverrides: null });
    await eventually(async () => expect((await containers()).map(({ name }) => name)).toContain("csi-provisioner"));
    expect((await cluster.conditions(driver)).filter(isDegraded)).toEqual([]);
    const roleBinding = { name: "openstack-cinder-csi-main-provisioner-binding" };
    await patch(clusterRoleBindings, roleBinding, { subjects: [] });
    await patch(
      services,
      { namespace, name: "openstack-cinder-csi-driver-controller-metrics" },
      { metadata: { annotations: null } },
    );
    await patch(csiDrivers, { name: driver }, { metadata: { annotations: null } });
    expect(await operator.stop()).toBe(0);
    const { generation } = (await deployment()).metadata;
    await operator.start({ ...images, DRIVER_IMAGE: "", RESIZER_IMAGE: "registry.test/resizer:2" });
    await isTrue(`${controllerService}Degraded`);
    expect(await cluster.messageOf(driver, `${controllerService}Degraded`)).toMatch(
      /\$\{DRIVER_IMAGE\} has no value \(line \d+\)\. Set DRIVER_IMAGE in the operator's environment\.$/u,
    );
    expect((await deployment()).metadata.generation).toBe(generation);
    await eventually(async () => {
      const { subjects } = await cluster.client.get(clusterRoleBindings, roleBinding);
      expect(subjects).toHaveLength(1);
      const { metadata } = await cluster.client.get(csiDrivers, { name: driver });
      expect(metadata.annotations).toMatchObject({ "csi.openshift.io/managed": "true" });
    });
    await isTrue("OpenStackCinderDriverControlPlaneStaticResourcesControllerDegraded", "False");
  });

  it("takes up new images and an API that has come back", async () => {
    await operator.stop();
    await cluster.install(serviceMonitorDefinition);
    await operator.start({ ...images, RESIZER_IMAGE: "registry.test/resizer:2" });
    await eventually(async () => {
      const resizer = (await containers()).find(({ name }) => name === "csi-resizer");
      expect(resizer?.image).toBe("registry.test/resizer:2");
      const monitor = { namespace, name: "openstack-cinder-csi-driver-controller-monitor" };
      expect(await cluster.client.find(serviceMonitors, monitor)).toBeDefined();
    });
    await isTrue(`${controllerService}Degraded`, "False");
  });

  it("was refused nothing, and has no right that it does not use", () => {
    expect([
      ...new Set(
        operator
          .requests()
          .filter(({ isAllowed }) => !isAllowed)
          .map(requestText),
      ),
    ]).toEqual([]);
    expect(unusedRights(operator)).toEqual([]);
  });
});

const isDegraded = (condition: string) => /Degraded=(?!False)/u.test(condition);

describe("the operator of the local driver", () => {
  const driver = "local.csi.stowage.dev";
  let operator: RunningOperator;

  beforeAll(async () => {
    operator = new RunningOperator(cluster, await loadDriverProfile("local"));
  });
  afterAll(() => operator.stop());

  it("makes everything from its assets", async () => {
    await createDriver(cluster, driver);
    await operator.start();
    const wanted = assetIdentities(operator.profile);
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    const found = await readAll(cluster, wanted);
    expect(JSON.stringify(found)).not.toContain("${");
    await eventually(async () => expect((await cluster.conditions(driver)).filter(isDegraded)).toEqual([]));
    await becomeAvailableOnNodes(cluster, "stowage-local-csi-driver-node");
    await eventually(async () => {
      expect(await cluster.conditions(driver)).toContain("LocalDriverNodeServiceControllerAvailable=True/AsExpected");
    });
  });

  it("goes when it is told to, comes back, and goes with its ClusterCSIDriver", async () => {
    const setState = (managementState: string) =>
      patch(clusterCSIDrivers, { name: driver }, { spec: { managementState } });
    const wanted = assetIdentities(operator.profile).filter(({ kind }) => kind !== "VolumeSnapshotClass");
    await setState("Removed");
    await eventually(async () => expect(await namesOf(cluster, wanted, "there")).toEqual([]));
    await setState("Managed");
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    await cluster.client.delete(clusterCSIDrivers, { name: driver });
    await eventually(async () =>
      expect(await cluster.client.find(clusterCSIDrivers, { name: driver })).toBeUndefined(),
    );
    expect(await namesOf(cluster, wanted, "there")).toEqual([]);
  });

  it("was refused nothing, and has no right that it does not use", async () => {
    // Lets go of its lease.
    expect(await operator.stop()).toBe(0);
    expect([
      ...new Set(
        operator
          .requests()
          .filter(({ isAllowed }) => !isAllowed)
          .map(requestText),
      ),
    ]).toEqual([]);
    expect(unusedRights(operator)).toEqual([]);
  });
});

describe("an operator with an asset that cannot be read", () => {
  it("names the file and the line, and runs the driver all the same", async () => {
    const driver = "local.csi.stowage.dev";
    const profile = await loadDriverProfile("local");
    const folder = join(cluster.folder, "assets");
    cpSync(profile.assets, folder, { recursive: true });
    writeFileSync(join(folder, "broken.yaml"), "kind: ConfigMap\nmetadata: [");
    await createDriver(cluster, driver);
    await using _running = runOwnProgram(cluster, { ...profile, assets: pathToFileURL(`${folder}/`) });
    const degraded = "LocalDriverGuestStaticResourcesControllerDegraded";
    await eventually(async () =>
      expect(await cluster.messageOf(driver, degraded)).toMatch(
        /^broken\.yaml, line \d is not YAML: .*\. Correct the file at the line that the message names/su,
      ),
    );
    const name = "stowage-local-csi-driver-node";
    await eventually(async () => expect(await cluster.client.find(daemonSets, { namespace, name })).toBeDefined());
  });
});
