import {
  type ClusterRoleBinding,
  type Container,
  type DaemonSet,
  type Deployment,
  type KubernetesObject,
  type LogLevel,
  labelValueErrors,
  type PodSpec,
  type RoleBinding,
  type Service,
  type TopologyMode,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";

import { driverAssetsOf } from "../assets/index.ts";
import type { SidecarsMode } from "../driver-profile.ts";
import { driverIds, loadDriverProfile } from "../drivers/index.ts";
import { type AssumedCluster, usualCluster } from "./assumed-cluster.ts";
import { renderDriver } from "./render-driver.ts";

const profiles = await Promise.all(driverIds.map(loadDriverProfile));
const variants = profiles.flatMap((profile) =>
  profile.sidecars.map((sidecars): [string, SidecarsMode] => [profile.id, sidecars]),
);
const platforms = ["AWS", "Azure", "External", "IBMCloud", "None", "OpenStack", "PowerVS"] as const;
/** What these make is told to be the cluster's by where it is: a resource group, a workspace, a server that somebody has named. */
const unmarked: ReadonlySet<string> = new Set(["azure-disk", "azure-file", "powervs-block", "smb"]);
const topologies: readonly TopologyMode[] = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
];
const logLevels: readonly [LogLevel, number, string][] = [
  ["Normal", 2, "info"],
  ["Debug", 4, "debug"],
  ["Trace", 6, "debug"],
  ["TraceAll", 8, "debug"],
];

async function render(id: string, cluster: Partial<AssumedCluster> = {}, env = {}): Promise<KubernetesObject[]> {
  return renderDriver(await loadDriverProfile(id), { cluster: { ...usualCluster, ...cluster }, env });
}

function find(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject {
  const found = objects.find((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
  if (found === undefined) throw new Error(`no ${kind} ${name ?? ""}`);
  return found;
}

function workloadsOf(objects: readonly KubernetesObject[]): (Deployment | DaemonSet)[] {
  return objects.filter(({ kind }) => kind === "Deployment" || kind === "DaemonSet") as (Deployment | DaemonSet)[];
}

const podOf = ({ spec }: Deployment | DaemonSet): PodSpec => spec?.template.spec ?? { containers: [] };
const containersOf = (objects: readonly KubernetesObject[]): Container[] =>
  workloadsOf(objects).flatMap((workload) => podOf(workload).containers);
const argumentsOf = ({ args = [] }: Container, flag: string) =>
  args.filter((argument) => argument.startsWith(`${flag}=`)).map((argument) => argument.slice(flag.length + 1));

/** Whose root is not read-only: a mount helper writes into the image, or nobody has tried it otherwise. */
const writableRoots: Readonly<Record<string, readonly string[]>> = {
  "aws-efs": ["Deployment csi-driver"],
  "gcp-filestore": ["Deployment csi-driver"],
  "ibm-vpc-block": ["Deployment csi-driver"],
  "powervs-block": ["Deployment csi-driver", "Deployment node-update-controller"],
};

/** Of programs that cannot be told where to serve their metrics. */
const fixedPorts: Readonly<Record<string, readonly string[]>> = { "vmware-vsphere": ["2112", "2113"] };

describe.each(variants)("what is applied for %s with sidecars: %s", (id, sidecars) => {
  const combinations = platforms.flatMap((platform) => topologies.map((topology) => [platform, topology] as const));

  it.each(combinations)("has nothing unresolved on %s with %s", async (platform, topology) => {
    const objects = await render(id, { sidecars, platform, topology });
    expect(JSON.stringify(objects)).not.toContain("${");
    expect(JSON.stringify(objects).includes("cluster-id")).toBe(!unmarked.has(id));
  });

  it("has requests and an image for every container, a root as its driver can do with, and each name once", async () => {
    for (const workload of workloadsOf(await render(id, { sidecars }))) {
      const { containers } = podOf(workload);
      expect(new Set(containers.map(({ name }) => name)).size).toBe(containers.length);
      for (const { name, image, resources, securityContext } of containers) {
        expect(image).toMatch(/^[a-z].*:latest$/u);
        expect(Object.keys(resources?.requests ?? {})).toEqual(["cpu", "memory"]);
        const mayWriteRoot = writableRoots[id]?.includes(`${workload.kind} ${name}`) ?? false;
        expect(securityContext?.readOnlyRootFilesystem ?? false).toBe(!mayWriteRoot);
      }
    }
  });

  it("mounts only what there is, and no certificate that nobody makes", async () => {
    const objects = await render(id, { sidecars });
    const made = objects
      .filter(({ kind }) => kind === "Service")
      .map(({ metadata }) => metadata.annotations?.["service.beta.openshift.io/serving-cert-secret-name"]);
    for (const workload of workloadsOf(objects)) {
      const { containers, volumes = [] } = podOf(workload);
      const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
      const named = volumes.map(({ name }) => name);
      expect(mounted.filter((name) => !named.includes(name))).toEqual([]);
      const certificates = volumes
        .flatMap(({ secret }) => secret?.secretName ?? [])
        .filter((name) => name.endsWith("-cert"));
      expect(made).toEqual(expect.arrayContaining(certificates));
    }
  });

  it("has a proxy before each port of metrics, which a Service and a monitor show", async () => {
    const objects = await render(id, { sidecars });
    const containers = containersOf(objects);
    const proxies = containers.filter(({ name }) => name.includes("rbac-proxy"));
    const served = containers
      .flatMap((container) => ["--http-endpoint", "--metrics-address"].flatMap((flag) => argumentsOf(container, flag)))
      .map((address) => address.replace(/^.*:/u, ""))
      .filter((port) => port.startsWith("8"))
      .concat(fixedPorts[id] ?? []);
    const upstreams = proxies.flatMap((proxy) => argumentsOf(proxy, "--upstream"));
    expect(upstreams.toSorted()).toEqual(served.map((port) => `http://127.0.0.1:${port}/`).toSorted());
    const exposed = proxies.flatMap(({ ports = [] }) =>
      ports.map(({ name, containerPort }) => `${name} ${containerPort}`),
    );
    const services = (objects.filter(({ kind }) => kind === "Service") as Service[]).filter(({ metadata }) =>
      metadata.name?.endsWith("-metrics"),
    );
    const shown = services.flatMap(({ spec }) => spec?.ports?.map(({ name, port }) => `${name} ${port}`) ?? []);
    expect(shown.toSorted()).toEqual(exposed.toSorted());
    const monitors = objects.filter(({ kind }) => kind === "ServiceMonitor") as (KubernetesObject & {
      spec: { endpoints: { port: string }[] };
    })[];
    expect(monitors.flatMap(({ spec }) => spec.endpoints.map(({ port }) => port)).toSorted()).toEqual(
      exposed.map((each) => each.replace(/ .*/u, "")).toSorted(),
    );
  });

  it("gives rights to its own accounts and Prometheus alone, by roles that are there or come with the platform", async () => {
    const objects = await render(id, { sidecars });
    const accounts = objects.filter(({ kind }) => kind === "ServiceAccount").map(({ metadata }) => metadata.name);
    const roles = objects.filter(({ kind }) => kind.endsWith("Role")).map(({ metadata }) => metadata.name);
    const bindings = objects.filter(({ kind }) => kind.endsWith("RoleBinding")) as (ClusterRoleBinding | RoleBinding)[];
    expect(bindings.length).toBeGreaterThan(3);
    for (const { roleRef, subjects = [] } of bindings) {
      expect(roleRef.name.startsWith("openshift-csi-") || roles.includes(roleRef.name)).toBe(true);
      expect([...accounts, "prometheus-k8s"]).toContain(subjects[0]?.name);
    }
    expect(workloadsOf(objects).map((each) => podOf(each).serviceAccountName)).toEqual(
      expect.arrayContaining(accounts),
    );
    // What is asked of a cloud is in the cloud's words.
    const inCluster = objects.filter(({ kind }) => kind !== "CredentialsRequest");
    expect(JSON.stringify(inCluster)).not.toContain('"*"');
  });

  it("is nothing twice", async () => {
    const keys = (await render(id, { sidecars })).map(
      ({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(logLevels)("logs at %s as --v=%i or --log-level=%s everywhere", async (logLevel, verbosity, word) => {
    const containers = containersOf(await render(id, { sidecars, logLevel }));
    const levels = containers.flatMap((container) => [
      ...argumentsOf(container, "--v"),
      ...argumentsOf(container, "--log-level"),
    ]);
    expect(levels.length).toBeGreaterThan(1);
    expect([String(verbosity), word]).toEqual(expect.arrayContaining([...new Set(levels)]));
  });

  it("takes its images from the environment", async () => {
    const objects = await render(id, { sidecars }, { DRIVER_IMAGE: "registry.example/driver@sha256:1" });
    const { ownImages = {} } = await loadDriverProfile(id);
    const ofOthers = Object.values(ownImages);
    const driver = containersOf(objects).filter(
      ({ name, image = "" }) => name === "csi-driver" && !ofOthers.includes(image),
    );
    expect(driver.length).toBeGreaterThan(0);
    expect(driver.map(({ image }) => image)).toEqual(driver.map(() => "registry.example/driver@sha256:1"));
  });
});

describe("the controller of openstack-cinder", () => {
  it.each<[TopologyMode, number, object]>([
    ["HighlyAvailable", 2, { "node-role.kubernetes.io/master": "" }],
    ["HighlyAvailableArbiter", 1, { "node-role.kubernetes.io/master": "" }],
    ["DualReplica", 1, { "node-role.kubernetes.io/master": "" }],
    ["SingleReplica", 1, { "node-role.kubernetes.io/master": "" }],
    ["External", 1, {}],
  ])("with %s has %i replicas, on %j", async (topology, replicas, nodeSelector) => {
    const { spec } = find(await render("openstack-cinder", { topology }), "Deployment") as Deployment;
    expect(spec).toMatchObject({ replicas, template: { spec: { nodeSelector } } });
  });

  it.each([
    ["Modern", "VersionTLS13"],
    ["Intermediate", "VersionTLS12"],
    ["Old", "VersionTLS10"],
  ] as const)("follows the TLS profile %s before its metrics", async (tlsProfile, version) => {
    const containers = containersOf(await render("openstack-cinder", { tlsProfile }));
    const versions = containers.flatMap((container) => argumentsOf(container, "--tls-min-version"));
    expect([...new Set(versions)]).toEqual([version]);
  });

  it("knows the cluster, the cloud's configuration and its zones", async () => {
    const [driver] = containersOf([find(await render("openstack-cinder", { clusterId: "shop-x7" }), "Deployment")]);
    expect(driver).toMatchObject({ name: "csi-driver" });
    expect(driver?.args).toEqual([
      "/bin/cinder-csi-plugin",
      "--provide-controller-service=true",
      "--provide-node-service=false",
      "--endpoint=$(CSI_ENDPOINT)",
      "--http-endpoint=localhost:8202",
      "--cloud-config=$(CLOUD_CONFIG)",
      "--cluster=shop-x7",
      "--with-topology=$(ENABLE_TOPOLOGY)",
      "--v=2",
    ]);
    expect(driver?.env?.find(({ name }) => name === "ENABLE_TOPOLOGY")?.valueFrom?.configMapKeyRef).toEqual({
      name: "cloud-conf",
      key: "enable_topology",
    });
  });
});

describe("objects have the names of the originals", () => {
  const prefix = "openstack-cinder-csi-driver";
  test.each([
    ["Deployment", `${prefix}-controller`],
    ["DaemonSet", `${prefix}-node`],
    ["ServiceAccount", `${prefix}-controller-sa`],
    ["ServiceAccount", `${prefix}-node-sa`],
    ["ConfigMap", `${prefix}-trusted-ca-bundle`],
    ["PodDisruptionBudget", `${prefix}-controller-pdb`],
    ["Service", `${prefix}-controller-metrics`],
    ["ServiceMonitor", `${prefix}-controller-monitor`],
    ["Role", `${prefix}-lease-leader-election`],
    ["RoleBinding", `${prefix}-lease-leader-election`],
    ["Role", `${prefix}-prometheus`],
    ["RoleBinding", `${prefix}-prometheus`],
    ["ClusterRole", "openstack-cinder-privileged-role"],
    ["ClusterRoleBinding", "openstack-cinder-node-privileged-binding"],
    ["ClusterRole", "openstack-cinder-kube-rbac-proxy-role"],
    ["ClusterRoleBinding", "openstack-cinder-kube-rbac-proxy-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-main-provisioner-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-main-attacher-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-main-resizer-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-main-snapshotter-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-storageclass-reader-resizer-binding"],
    ["ClusterRoleBinding", "openstack-cinder-csi-volumesnapshot-reader-provisioner-binding"],
    ["CSIDriver", "cinder.csi.openstack.org"],
    ["StorageClass", "standard-csi"],
    ["VolumeSnapshotClass", "standard-csi"],
  ])("%s %s", async (kind, name) => {
    expect(find(await render("openstack-cinder"), kind, name)).toBeDefined();
  });

  it("and there are no others", async () => {
    expect(await render("openstack-cinder")).toHaveLength(25);
  });
});

describe("the local driver", () => {
  it("is a DaemonSet alone, whose sidecars deal with their own node", async () => {
    const objects = await render("local");
    expect(workloadsOf(objects).map(({ kind }) => kind)).toEqual(["DaemonSet"]);
    const sidecars = containersOf(objects).find(({ name }) => name === "csi-sidecars");
    expect(sidecars?.args).toEqual(
      expect.arrayContaining([
        "--controllers=provisioner,resizer,snapshotter",
        "--provisioner-node-deployment=true",
        "--provisioner-enable-capacity=true",
        "--resizer-node-deployment=true",
        "--snapshotter-node-deployment=true",
      ]),
    );
    expect(sidecars?.args?.join()).not.toContain("leader-election");
  });

  it("needs no image but its own", async () => {
    const images = containersOf(await render("local")).map(({ image }) => image);
    expect([...new Set(images)]).toEqual(["stowage:latest"]);
  });

  it("marks volumes with the cluster, by a label that can be one", async () => {
    const [driver] = containersOf(await render("local", { clusterId: "shop-x7" }));
    const [key, value] = (driver && argumentsOf(driver, "--extra-labels")[0])?.split("=") ?? [];
    expect([key, value]).toEqual(["kubernetes-io-cluster-shop-x7", "owned"]);
    expect(labelValueErrors(value ?? "")).toEqual([]);
  });

  it("refuses to have its sidecars apart", async () => {
    await expect(render("local", { sidecars: "Separate" })).rejects.toMatchObject({ code: "DRIVER_CONFIG_INVALID" });
  });
});

describe("what is wrong is said with the file", () => {
  const profile = profiles[0];
  const csidriver = {
    name: "csidriver.yaml",
    text: "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: x}}",
  };

  it.each([
    ["an asset that is not YAML", "{", "ASSET_INVALID", /node\.yaml, line 1 is not YAML/u],
    [
      "a placeholder that nobody knows",
      "a: ${NONSENSE}",
      "ASSET_PLACEHOLDER_UNRESOLVED",
      /node\.yaml: \$\{NONSENSE\} has no value \(line 1\)/u,
    ],
  ])("%s", async (_, text, code, message) => {
    const assets = driverAssetsOf([csidriver, { name: "node.yaml", text }], "example");
    const rendering = profile && renderDriver(profile, { cluster: usualCluster, env: {}, assets });
    await expect(rendering).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test("a driver that there is none of is refused with those that there are", async () => {
  await expect(loadDriverProfile("toString")).rejects.toMatchObject({
    code: "DRIVER_UNKNOWN",
    message: expect.stringContaining("local, openstack-cinder"),
  });
});
