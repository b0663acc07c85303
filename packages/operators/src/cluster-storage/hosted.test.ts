import type { Deployment, Storage, TopologyMode } from "@stowage/machinery";
import { clusterFactsOf, parseManifests, renderObject } from "@stowage/operator";
import { describe, expect, it, test } from "vitest";
import { driverIds, loadDriverProfile } from "../csi-driver/drivers/index.ts";
import { deploymentHooks } from "./driver-manager/operator-deployment.ts";
import {
  controlPlaneImageOf,
  type DriverOperatorEntry,
  driverOperators,
  hostedOperatorAssets,
  runsHosted,
} from "./driver-operators/index.ts";
import { starterConditions } from "./driver-starter.ts";
import { driversNamespace } from "./names.ts";
import { operatorServingInfo } from "./tls-settings-source.ts";

/** What the storage operator does for every driver beside a hosted control plane: each rule by driver and topology of the guest. */
const hosted = driverOperators.filter(runsHosted);
const topologies: readonly TopologyMode[] = ["External", "HighlyAvailable", "SingleReplica"];
const places = hosted.flatMap((entry) => topologies.map((topology) => ({ id: entry.id, entry, topology })));
const namespace = "clusters-guest";
const custom = { key: "own", operator: "Exists" } as const;
const guestFlag = "--guest-kubeconfig=/etc/hosted-kubernetes/kubeconfig";

interface Situation {
  readonly topology?: TopologyMode;
  readonly spec?: Storage["spec"];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

function environmentOf(entry: DriverOperatorEntry): Record<string, string> {
  const names = [...Object.values(entry.images), "KUBE_RBAC_PROXY_IMAGE", controlPlaneImageOf(entry)];
  return {
    ...Object.fromEntries(names.map((name) => [name, `registry.test/${name.toLowerCase()}`])),
    OPERATOR_IMAGE_VERSION: "4.22.0",
  };
}

async function operatorDeployment(entry: DriverOperatorEntry, situation: Situation = {}): Promise<Deployment> {
  const { topology = "External", spec = {}, env = {} } = situation;
  const infrastructure = {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: {},
    status: { controlPlaneTopology: topology },
  } as const;
  const facts = clusterFactsOf({ infrastructure, nodes: [], clusterUid: "" });
  const controlPlane = { nodeSelector: { role: "cp" }, labels: { team: "a" }, tolerations: [custom] };
  const deps = {
    env: { ...environmentOf(entry), ...env },
    facts: { current: async () => facts },
    tlsSettings: { ofOperators: async () => operatorServingInfo(undefined) },
    operators: { namespace, ownNamespace: namespace, hosted: { current: async () => ({ spec: controlPlane }) } },
  };
  const metadata = { name: "cluster" };
  const operator: Storage = { apiVersion: "operator.openshift.io/v1", kind: "Storage", metadata, spec };
  const context = { operator, signal: new AbortController().signal };
  const asset = hostedOperatorAssets(entry, namespace).deployment;
  return renderObject(asset, { ...deploymentHooks(deps as never, entry), context });
}

const podOf = ({ spec }: Deployment) => spec?.template.spec ?? { containers: [] };
const variablesOf = (deployment: Deployment) =>
  new Map(podOf(deployment).containers[0]?.env?.map(({ name, value }) => [name, value]));

describe.each(places)("the operator of $id beside a hosted control plane, with $topology", ({ entry, topology }) => {
  it("is one Pod in the control plane's namespace, on its nodes and with its labels", async () => {
    const { metadata, spec } = await operatorDeployment(entry, { topology });
    expect(metadata).toMatchObject({ name: entry.operatorName, namespace });
    expect(spec?.replicas).toBe(1);
    expect(spec?.template.spec).toMatchObject({
      nodeSelector: { role: "cp" },
      priorityClassName: "hypershift-control-plane",
    });
    expect(spec?.template.spec?.tolerations).toContainEqual(custom);
    expect(spec?.template.metadata?.labels).toMatchObject({
      team: "a",
      "hypershift.openshift.io/hosted-control-plane": namespace,
      "hypershift.openshift.io/need-management-kas-access": "true",
    });
  });

  it("says whose it is and which version it wants", async () => {
    const { metadata } = await operatorDeployment(entry, { topology });
    expect(metadata.labels?.["hypershift.openshift.io/managed-by"]).toBe("cluster-storage-operator");
    expect(metadata.annotations?.["release.openshift.io/desired-version"]).toBe("4.22.0");
  });

  it("has the guest by a flag, and the management cluster as every Pod has", async () => {
    const [operator] = podOf(await operatorDeployment(entry, { topology })).containers;
    expect(operator?.args).toContain(guestFlag);
    expect(operator?.env?.map(({ name }) => name)).not.toContain("KUBECONFIG");
  });

  it("mounts volumes that are there, and leaves nothing unresolved", async () => {
    const deployment = await operatorDeployment(entry, { topology });
    const { containers, volumes = [] } = podOf(deployment);
    const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
    expect(volumes.map(({ name }) => name).toSorted()).toEqual([...new Set(mounted)].toSorted());
    expect(JSON.stringify(deployment)).not.toContain("${");
  });
});

describe.each(hosted)("the operator of $id beside a hosted control plane", (entry) => {
  it("gets the images of the management cluster, and what of them is not set as an empty text", async () => {
    const variables = variablesOf(await operatorDeployment(entry));
    expect(variables.get("DRIVER_CONTROL_PLANE_IMAGE")).toBe(
      `registry.test/${controlPlaneImageOf(entry).toLowerCase()}`,
    );
    for (const name of ["HYPERSHIFT_IMAGE", "LIVENESS_PROBE_CONTROL_PLANE_IMAGE", "RUN_AS_USER"]) {
      expect(variables.get(name)).toBe("");
    }
    expect(variables.get("OPERATOR_IMAGE_VERSION")).toBe("4.22.0");
  });

  it("is run as the user that the management cluster needs, and hands it on", async () => {
    const deployment = await operatorDeployment(entry, { env: { RUN_AS_USER: "1001" } });
    expect(podOf(deployment).securityContext?.runAsUser).toBe(1001);
    expect(variablesOf(deployment).get("RUN_AS_USER")).toBe("1001");
  });

  it("has the metrics proxy of the management cluster, where that has another", async () => {
    const image = "registry.test/proxy-of-management";
    const deployment = await operatorDeployment(entry, { env: { KUBE_RBAC_PROXY_CONTROL_PLANE_IMAGE: image } });
    expect(podOf(deployment).containers.find(({ name }) => name === "kube-rbac-proxy")?.image).toBe(image);
  });

  it("has the guest's proxy, and that of our own environment not", async () => {
    const observedConfig = { targetconfig: { proxy: { HTTPS_PROXY: "http://guest.test" } } };
    const env = { HTTPS_PROXY: "http://management.test", NO_PROXY: "x" };
    const variables = variablesOf(await operatorDeployment(entry, { spec: { observedConfig }, env }));
    expect([variables.get("HTTPS_PROXY"), variables.get("NO_PROXY")]).toEqual(["http://guest.test", undefined]);
  });

  it("is not rolled out without its image, and it is said where to set it", async () => {
    const { OPERATOR_IMAGE: variable = "" } = entry.images;
    await expect(operatorDeployment(entry, { env: { [variable]: undefined } })).rejects.toMatchObject({
      message: expect.stringContaining(`Deployment ${entry.operatorName} -n ${namespace} needs ${variable}`),
      nextStep: `Set ${variable} on Deployment cluster-storage-operator -n ${namespace}.`,
    });
  });

  it("has all that it runs by in that namespace, and its rights in the guest with nothing that runs", () => {
    const { fixed, config, guest, resource } = hostedOperatorAssets(entry, namespace);
    const beside = [...fixed, config].map(({ object }) => object);
    expect(new Set(beside.map(({ metadata }) => metadata.namespace))).toEqual(new Set([namespace]));
    expect(beside.map(({ kind }) => kind).toSorted()).toEqual(
      ["ConfigMap", "Role", "RoleBinding", "Service", "ServiceAccount"].toSorted(),
    );
    const kinds = new Set(guest.map(({ object }) => object.kind));
    expect([...kinds].toSorted()).toEqual(
      ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ServiceAccount"].toSorted(),
    );
    expect(guest.map(({ object }) => object.metadata.namespace)).not.toContain(namespace);
    expect(parseManifests(resource).map(({ metadata }) => metadata.name)).toEqual([entry.driverName]);
  });
});

test("the drivers that are started beside a hosted control plane are those whose profiles say that they run there", async () => {
  const profiles = await Promise.all(driverIds.map(loadDriverProfile));
  const wanted = profiles.filter((profile) => profile.hosted !== undefined).map(({ id }) => id);
  expect(hosted.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
});

test.each([
  ["aws-ebs", "AWS_EBS_DRIVER_CONTROL_PLANE_IMAGE"],
  ["azure-disk", "AZURE_DISK_DRIVER_CONTROL_PLANE_IMAGE"],
  ["azure-file", "AZURE_FILE_DRIVER_CONTROL_PLANE_IMAGE"],
  ["openstack-cinder", "OPENSTACK_CINDER_DRIVER_CONTROL_PLANE_IMAGE"],
  ["openstack-manila", "MANILA_DRIVER_CONTROL_PLANE_IMAGE"],
])("the image of %s's controller is in %s, as HyperShift names it", (id, variable) => {
  const entry = driverOperators.find((each) => each.id === id);
  expect(entry && controlPlaneImageOf(entry)).toBe(variable);
});

test.each([
  ["with an image for it", "registry.test/hypershift", 1],
  ["not without", undefined, 0],
])("EBS' operator, which tags volumes, has a token of the guest fetched: %s", async (_, image, count) => {
  const ebs = hosted.find(({ id }) => id === "aws-ebs") as DriverOperatorEntry;
  const { containers } = podOf(await operatorDeployment(ebs, { env: { HYPERSHIFT_IMAGE: image } }));
  const minters = containers.filter(({ name }) => name === "token-minter");
  expect(minters).toHaveLength(count);
  for (const { args = [] } of minters) expect(args).toContain(`--service-account-namespace=${driversNamespace}`);
});

test.each(["azure-disk", "azure-file"])(
  "%s is told of the certificate that Azure's own service has for it",
  async (id) => {
    const entry = hosted.find((each) => each.id === id) as DriverOperatorEntry;
    const variable = `ARO_HCP_SECRET_PROVIDER_CLASS_FOR_${id === "azure-disk" ? "DISK" : "FILE"}`;
    const deployment = await operatorDeployment(entry, { env: { [variable]: "class-a" } });
    expect(variablesOf(deployment).get(variable)).toBe("class-a");
  },
);

describe("what is said of drivers that cannot be run from beside a control plane", () => {
  it("is nothing while there are none, but that nothing keeps an upgrade back", () => {
    expect(starterConditions(true, [])).toEqual([]);
    expect(starterConditions(false, []).map(({ type, status }) => `${type}=${status}`)).toEqual([
      "StorageOperatorUpgradeable=True",
    ]);
  });

  it("is their names and what to do, in a condition that makes nothing degraded or unavailable", () => {
    const [condition, ...others] = starterConditions(true, ["a-operator", "b-operator"]);
    expect(others).toEqual([]);
    expect(condition).toMatchObject({ type: "CSIDriverStarterHosted", status: "False", reason: "DriverNotHosted" });
    expect(condition?.message).toMatch(/^a-operator and b-operator cannot be run .*stowage driver-operator/u);
    expect(condition?.type).not.toMatch(/(?:Available|Progressing|Degraded|Upgradeable)$/u);
  });
});
