import {
  type ClusterCSIDriver,
  type ConfigMap,
  type Container,
  type CSIDriver,
  type DaemonSet,
  type Deployment,
  type KubernetesObject,
  type PlatformType,
  type PodDisruptionBudget,
  type Secret,
  type Service,
  type TopologyMode,
} from "@stowage/machinery";
import { dependencyAnnotations, parseManifests, renderObject } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { controllerSpec, driverImageNames, nodeSpec, readDriverAssets } from "./assets/index.ts";
import type { DriverProfile } from "./driver-profile.ts";
import { driverIds, loadDriverProfile } from "./drivers/index.ts";
import { type AssumedCluster, assumedClusterCSIDriver, assumedFacts, usualCluster } from "./render/assumed-cluster.ts";
import { renderDriver } from "./render/index.ts";

/** What every driver's operator does alike, wherever it runs: each rule for all drivers, by platform and topology. */
const profiles = await Promise.all(driverIds.map(loadDriverProfile));
const platforms: readonly PlatformType[] = ["OpenStack", "External", "None", "BareMetal"];
const topologyModes: readonly TopologyMode[] = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
];
const places = profiles.flatMap((profile) =>
  platforms.flatMap((platform) =>
    topologyModes.map((topology): Place => ({ id: profile.id, profile, platform, topology })),
  ),
);

interface Place {
  readonly id: string;
  readonly profile: DriverProfile;
  readonly platform: PlatformType;
  readonly topology: TopologyMode;
}

const allSidecars = ["csi-provisioner", "csi-attacher", "csi-resizer", "csi-snapshotter"];
/** Of drivers that do not need all. */
const sidecarsOf: Readonly<Record<string, readonly string[]>> = {
  "aws-efs": ["csi-provisioner"],
  "gcp-filestore": ["csi-provisioner", "csi-resizer", "csi-snapshotter"],
  "openstack-manila": ["csi-provisioner", "csi-resizer", "csi-snapshotter"],
  "powervs-block": ["csi-provisioner", "csi-attacher", "csi-resizer"],
  smb: ["csi-provisioner", "csi-resizer"],
};
/** Of controllers that mount, or that have to be in the host's network. */
const constraintsOf: Readonly<Record<string, string>> = {
  "aws-efs": "privileged",
  "gcp-filestore": "hostnetwork-v2",
  "gcp-pd": "hostnetwork-v2",
  "powervs-block": "privileged",
  smb: "privileged",
};

const hasController = ({ id }: Pick<Place, "id">) => id !== "local";

/** Nodes have metrics too, and so a Service and a certificate. */
const hasNodeMetrics = ({ id }: Pick<Place, "id">) => ["azure-disk", "ibm-vpc-block", "local"].includes(id);
/** What these make is told to be the cluster's by where it is: a resource group, a workspace, a server that somebody has named. */
const isUnmarked = ({ id }: Pick<Place, "id">) => unmarked.includes(id);
/** vSphere has it in its configuration. */
const unmarked = ["azure-disk", "azure-file", "powervs-block", "smb", "vmware-vsphere"];
/** Called otherwise from the start. */
const workloadNames: Readonly<Record<string, readonly string[]>> = {
  "openstack-manila": ["openstack-manila-csi-controllerplugin", "openstack-manila-csi-nodeplugin"],
};

/** Whether a workload is the driver's own, and none of its companions. */
function isOwn({ profile }: Pick<Place, "profile">): (object: KubernetesObject) => boolean {
  const companions = readDriverAssets(profile).companions.flatMap(parseManifests);
  const names = companions.map(({ metadata }) => metadata.name);
  return ({ metadata }) => !names.includes(metadata.name);
}

function ofKind<T extends KubernetesObject>(objects: readonly KubernetesObject[], kind: T["kind"]): T[] {
  return objects.filter((object): object is T => object.kind === kind);
}

const podOf = ({ spec }: Deployment | DaemonSet) => spec?.template.spec ?? { containers: [] };

function flags({ args = [] }: Container, name: string): string[] {
  return args.flatMap((argument) => (argument.startsWith(`${name}=`) ? [argument.slice(name.length + 1)] : []));
}

describe.each(places)("$id on $platform with $topology", (place) => {
  const { profile, platform, topology } = place;
  const { namespace, assetPrefix } = profile;
  const objects = renderDriver(profile, { cluster: { ...usualCluster, platform, topology }, env: {} });
  const deployments = objects.then((all) => ofKind<Deployment>(all, "Deployment").filter(isOwn(place)));
  const daemonSets = objects.then((all) => ofKind<DaemonSet>(all, "DaemonSet").filter(isOwn(place)));

  it("has as many controllers as the topology allows, on masters that are in the cluster", async () => {
    const replicas = topology === "HighlyAvailable" ? 2 : 1;
    const nodeSelector = topology === "External" ? {} : { "node-role.kubernetes.io/master": "" };
    const found = (await deployments).map((each) => [each.spec?.replicas, podOf(each).nodeSelector]);
    expect(found).toEqual(hasController(place) ? [[replicas, nodeSelector]] : []);
  });

  it("keeps controllers apart, and lets one of them be evicted, also one that is not well", async () => {
    const all = ofKind<PodDisruptionBudget>(await objects, "PodDisruptionBudget");
    const budgets = all.filter(({ metadata }) => metadata.name === `${assetPrefix}-controller-pdb`);
    expect(budgets).toHaveLength(hasController(place) ? 1 : 0);
    for (const deployment of await deployments) {
      const { selector } = deployment.spec ?? {};
      expect(budgets[0]?.spec).toEqual({ maxUnavailable: 1, selector, unhealthyPodEvictionPolicy: "AlwaysAllow" });
      const [preferred] =
        podOf(deployment).affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
      expect(preferred?.podAffinityTerm).toMatchObject({
        labelSelector: selector,
        topologyKey: "kubernetes.io/hostname",
      });
      expect(podOf(deployment).priorityClassName).toBe("system-cluster-critical");
    }
  });

  it("runs on every node that has Linux, whatever its taints, and renews a tenth of them at a time", async () => {
    const [daemonSet, ...others] = await daemonSets;
    expect(others).toEqual([]);
    expect(daemonSet?.spec?.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: "10%" },
    });
    expect(daemonSet && podOf(daemonSet)).toMatchObject({
      nodeSelector: { "kubernetes.io/os": "linux" },
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists" }],
    });
  });

  it("elects its sidecars' leaders slowly enough for an API server that restarts, on a single node too", async () => {
    const elected = (await deployments).flatMap((each) =>
      podOf(each).containers.filter(
        ({ name, args = [] }) => name.startsWith("csi-") && args.includes("--leader-election"),
      ),
    );
    expect(elected.map(({ name }) => name)).toEqual(hasController(place) ? (sidecarsOf[place.id] ?? allSidecars) : []);
    for (const sidecar of elected) {
      const times = ["lease-duration", "renew-deadline", "retry-period"];
      expect(times.flatMap((time) => flags(sidecar, `--leader-election-${time}`))).toEqual(["137s", "107s", "26s"]);
      expect(flags(sidecar, "--leader-election-namespace")).toEqual([namespace]);
    }
  });

  it("names its objects after the driver, in the drivers' namespace", async () => {
    const [workload, suffixes] = hasController(place)
      ? ["controller", ["controller", "node", "controller-sa", "node-sa", "controller-pdb", "controller-metrics"]]
      : ["node", ["node", "node-sa", "node-metrics"]];
    // Those who hear requests for credentials look in a namespace of theirs.
    const named = (await objects).filter(
      ({ kind, metadata }) => metadata.namespace !== undefined && kind !== "CredentialsRequest",
    );
    const workloads = workloadNames[place.id] ?? [];
    const usual = [...suffixes, `${workload}-monitor`].filter(
      (suffix) => workloads.length === 0 || !["controller", "node"].includes(suffix),
    );
    expect(named.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining([...workloads, ...usual.map((suffix) => `${assetPrefix}-${suffix}`)]),
    );
    expect(new Set(named.map(({ metadata }) => metadata.namespace))).toEqual(new Set([namespace]));
  });

  it("asks the service CA for the certificate of its metrics, and restarts when that is renewed", async () => {
    const asked = ofKind<Service>(await objects, "Service")
      .filter(({ metadata }) => metadata.name?.endsWith("-metrics"))
      .map(({ metadata }) => metadata.annotations?.["service.beta.openshift.io/serving-cert-secret-name"]);
    const served = { controller: hasController(place), node: hasNodeMetrics(place) };
    const parts = (["controller", "node"] as const).filter((part) => served[part]);
    expect(asked).toEqual(parts.map((part) => `${assetPrefix}-${part}-metrics-serving-cert`));
    for (const part of parts) expect(profile[part].secrets).toContain(`${assetPrefix}-${part}-metrics-serving-cert`);
  });

  it("says of its CSIDriver whose it is", async () => {
    const [csiDriver] = ofKind<CSIDriver>(await objects, "CSIDriver");
    expect(csiDriver?.metadata).toMatchObject({
      name: profile.driverName,
      annotations: { "csi.openshift.io/managed": "true" },
    });
  });

  it("marks what it makes in the cloud or on the disk with the cluster's id", async () => {
    const makers = [...(await deployments), ...(hasController(place) ? [] : await daemonSets)];
    const [driver] = makers.flatMap((each) => podOf(each).containers.filter(({ name }) => name === "csi-driver"));
    const marks = driver?.args?.filter((argument) => argument.includes(usualCluster.clusterId));
    expect(marks).toHaveLength(isUnmarked(place) ? 0 : 1);
  });

  it("gives every container requests, and Pods the constraints that they need", async () => {
    const pods = [...(await deployments), ...(await daemonSets)];
    for (const { name, resources } of pods.flatMap((each) => podOf(each).containers)) {
      expect([name, Object.keys(resources?.requests ?? {})]).toEqual([name, ["cpu", "memory"]]);
    }
    expect(pods.map((each) => each.spec?.template.metadata?.annotations?.["openshift.io/required-scc"])).toEqual(
      hasController(place) ? [constraintsOf[place.id] ?? "restricted-v2", "privileged"] : ["privileged"],
    );
  });
});

interface Found {
  readonly secrets?: readonly string[];
  readonly configMaps?: Readonly<Record<string, Record<string, string>>>;
  readonly proxy?: Readonly<Record<string, string>>;
  readonly driverConfig?: ClusterCSIDriver["spec"]["driverConfig"];
}

/** Both workloads as the operator would have them in a cluster in which this is found. */
async function workloadsWith(
  { profile, platform, topology }: Place,
  found: Found,
): Promise<(Deployment | DaemonSet)[]> {
  const { namespace } = profile;
  const cluster: AssumedCluster = { ...usualCluster, platform, topology };
  const facts = assumedFacts(profile, cluster);
  const metadata = (name: string) => ({ name, namespace });
  const sources = {
    facts: { current: async () => facts },
    secret: (name: string): Secret | undefined =>
      found.secrets?.includes(name)
        ? { apiVersion: "v1", kind: "Secret", metadata: metadata(name), data: { key: "eA==" } }
        : undefined,
    configMap(name: string): ConfigMap | undefined {
      const data = found.configMaps?.[name];
      return data && { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(name), data };
    },
  };
  const env = Object.fromEntries(driverImageNames.map((name) => [name, `registry.test/${name}`]));
  const hooks = profile.ownHooks?.(sources) ?? {};
  const input = { profile, assets: readDriverAssets(profile), sources, hooks, env };
  const assumed = assumedClusterCSIDriver(profile, cluster);
  const { servingInfo } = (assumed.spec.observedConfig as { targetcsiconfig: { servingInfo: object } }).targetcsiconfig;
  const observedConfig = { targetcsiconfig: { servingInfo, ...(found.proxy && { proxy: found.proxy }) } };
  const spec = { ...assumed.spec, observedConfig, ...(found.driverConfig && { driverConfig: found.driverConfig }) };
  const context = { operator: { ...assumed, spec }, signal: new AbortController().signal };
  const controller = controllerSpec(input);
  const { asset, ...node } = nodeSpec(input);
  return [
    ...(controller === undefined ? [] : [await renderObject(controller.asset, { ...controller, context })]),
    await renderObject(asset, { ...node, context }),
  ];
}

/** What the Pods restart for; it is on the workload too. */
function restartsOf({ metadata, spec }: Deployment | DaemonSet): string[] {
  const [own, ofPods] = [metadata, spec?.template.metadata].map((each) =>
    Object.keys(each?.annotations ?? {})
      .filter((key) => key.startsWith("operator.openshift.io/dep-"))
      .toSorted(),
  );
  expect(own).toEqual(ofPods);
  return ofPods ?? [];
}

function keysOf(names: readonly string[], namespace: string): string[] {
  const objects = names.map((each) => {
    const [kind, name] = each.split(" ");
    return { apiVersion: "v1", kind, metadata: { name, namespace } } as Secret;
  });
  return Object.keys(dependencyAnnotations(objects)).toSorted();
}

const [cinder, local] = ["openstack-cinder", "local"].map((id) => {
  const profile = profiles.find((each) => each.id === id);
  if (profile === undefined) throw new Error(`there is no driver ${id}`);
  return topologyModes.map((topology): Place => ({ id, profile, platform: profile.platform, topology }));
}) as [Place[], Place[]];

describe.each([...cinder, ...local])("$id with $topology", (place) => {
  const { assetPrefix, namespace } = place.profile;
  const bundle = `${assetPrefix}-trusted-ca-bundle`;

  test("restarts for its credentials, its configuration and its certificate, and for no other", async () => {
    const certificate = `${assetPrefix}-${hasController(place) ? "controller" : "node"}-metrics-serving-cert`;
    const secrets = ["openstack-cloud-credentials", certificate, "other"];
    const configMaps = { "cloud-conf": { "cloud.conf": "" }, other: { x: "y" } };
    const restarts = (await workloadsWith(place, { secrets, configMaps })).map(restartsOf);
    const cloud = ["Secret openstack-cloud-credentials", "ConfigMap cloud-conf"];
    const served = `Secret ${certificate}`;
    const wanted = hasController(place) ? [[...cloud, served], cloud] : [[served]];
    expect(restarts).toEqual(wanted.map((names) => keysOf(names, namespace)));
  });

  test("has the cluster's proxy where it talks to a cloud, and nowhere else", async () => {
    const workloads = await workloadsWith(place, { proxy: { HTTPS_PROXY: "http://proxy.test:3128" } });
    const proxied = workloads.flatMap((each) => podOf(each).containers.filter(({ env = [] }) => env.some(isProxy)));
    expect(proxied.map(({ name }) => name)).toEqual(hasController(place) ? ["csi-driver", "csi-driver"] : []);
  });

  test("trusts the cluster's authorities where it talks to a cloud, once there are any", async () => {
    const trusting = async (data: Record<string, string>) =>
      (await workloadsWith(place, { configMaps: { [bundle]: data } }))
        .flatMap((each) => podOf(each).containers)
        .filter(({ volumeMounts = [] }) =>
          volumeMounts.some(({ mountPath }) => mountPath === "/etc/pki/ca-trust/extracted/pem"),
        )
        .map(({ name }) => name);
    expect(await trusting({})).toEqual([]);
    expect(await trusting({ "ca-bundle.crt": "PEM" })).toEqual(
      hasController(place) ? ["csi-driver", "csi-driver"] : [],
    );
  });

  test("passes over a driverConfig that is another driver's", async () => {
    const driverConfig = { driverType: "AWS", aws: { kmsKeyARN: "arn:aws:kms:x:1:key/2" } } as const;
    expect(await workloadsWith(place, { driverConfig })).toEqual(await workloadsWith(place, {}));
  });
});

function isProxy({ name }: { readonly name: string }): boolean {
  return name.endsWith("_PROXY");
}
