import type { LogLevel, Storage, TopologyMode } from "@stowage/machinery";
import { observedServingInfo, renderObject } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { type DriverOperatorEntry, driverOperatorAssets, driverOperators } from "../driver-operators/index.ts";
import { driversNamespace, storageOperatorNamespace } from "../names.ts";
import { deploymentHooks } from "./operator-deployment.ts";

const images = {
  OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE: "registry.test/operator:1",
  OPENSTACK_CINDER_DRIVER_IMAGE: "registry.test/driver:1",
  KUBE_RBAC_PROXY_IMAGE: "registry.test/proxy:1",
  ATTACHER_IMAGE: "registry.test/attacher:1",
};

interface Cluster {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly spec?: Storage["spec"];
  readonly topology?: TopologyMode;
  readonly roles?: readonly string[];
}

async function rendered({ env = images, spec = {}, topology = "HighlyAvailable", roles = [] }: Cluster = {}) {
  const entry = driverOperators.find(({ id }) => id === "openstack-cinder") as DriverOperatorEntry;
  const facts = { current: async () => ({ clusterId: "x", controlPlaneTopology: topology, controlPlaneRoles: roles }) };
  const tlsSettings = { ofOperators: async () => observedServingInfo(undefined) };
  const operator: Storage = {
    apiVersion: "operator.openshift.io/v1",
    kind: "Storage",
    metadata: { name: "cluster" },
    spec,
  };
  const operators = { namespace: driversNamespace, ownNamespace: storageOperatorNamespace };
  const hooks = deploymentHooks({ env, facts, tlsSettings, operators } as never, entry);
  const context = { operator, signal: new AbortController().signal };
  const deployment = await renderObject(driverOperatorAssets(entry).deployment, { ...hooks, context });
  const pod = deployment.spec?.template.spec;
  const container = pod?.containers[0];
  const variable = (name: string) => container?.env?.find((each) => each.name === name)?.value;
  return { pod, container, variable, proxy: pod?.containers[1] };
}

describe("the Deployment of a driver's operator", () => {
  it("has the images of the storage operator's environment, each by the name that the driver's operator knows", async () => {
    const { container, variable } = await rendered();
    expect(container?.image).toBe("registry.test/operator:1");
    expect(variable("DRIVER_IMAGE")).toBe("registry.test/driver:1");
    expect(variable("ATTACHER_IMAGE")).toBe("registry.test/attacher:1");
    // Which of the others it can do without, its own operator knows.
    expect(variable("RESIZER_IMAGE")).toBe("");
  });

  it.each(Object.keys(images).slice(0, 3))("is not made without %s", async (name) => {
    await expect(rendered({ env: { ...images, [name]: undefined } })).rejects.toMatchObject({
      message: expect.stringContaining(`needs ${name} in the environment of the storage operator`),
      nextStep: `Set ${name} on Deployment cluster-storage-operator -n openshift-cluster-storage-operator.`,
    });
  });

  it.each<[LogLevel | undefined, string]>([
    [undefined, "--v=2"],
    ["", "--v=2"],
    ["Normal", "--v=2"],
    ["Debug", "--v=4"],
    ["Trace", "--v=6"],
    ["TraceAll", "--v=8"],
  ])("logs as much as the Storage's logLevel %s says: %s", async (logLevel, flag) => {
    const { container } = await rendered({ spec: { logLevel } });
    expect(container?.args).toContain(flag);
  });

  it("gets the proxy in the container that talks to the cloud, and in no other", async () => {
    const observedConfig = { targetconfig: { proxy: { HTTPS_PROXY: "http://proxy.test" } } };
    const { variable, proxy } = await rendered({ spec: { observedConfig } });
    expect(variable("HTTPS_PROXY")).toBe("http://proxy.test");
    expect(JSON.stringify(proxy)).not.toContain("HTTPS_PROXY");
  });

  const master = "node-role.kubernetes.io/master";
  const controlPlane = "node-role.kubernetes.io/control-plane";
  it.each<[TopologyMode, readonly string[], object]>([
    ["HighlyAvailable", [controlPlane, master], { [master]: "" }],
    ["HighlyAvailable", [controlPlane], { [controlPlane]: "" }],
    ["SingleReplica", [], {}],
    ["External", [controlPlane, master], {}],
  ])("goes to masters where there are any: %s with %j", async (topology, roles, selector) => {
    const { pod } = await rendered({ topology, roles });
    expect(pod?.nodeSelector).toEqual(selector);
  });

  it("serves its metrics with the cluster's TLS settings", async () => {
    const { proxy } = await rendered();
    expect(proxy?.args).toContain("--tls-min-version=VersionTLS12");
    expect(proxy?.args?.find((flag) => flag.startsWith("--tls-cipher-suites="))).toContain("TLS_AES_128_GCM_SHA256");
  });
});
