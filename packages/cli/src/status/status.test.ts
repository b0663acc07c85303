import { clusterCSIDrivers, clusterVersions, systemClock } from "@stowage/machinery";
import { createDriverOperator, loadDriverProfile } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Facts } from "../explain/facts.ts";
import { type ExplainCluster, startExplainCluster } from "../explain/fixtures/explain-cluster.ts";
import { runOperator } from "../explain/fixtures/running-operator.ts";
import { Scene } from "../explain/fixtures/scene.ts";
import { cinder, startOperators } from "../explain/scenarios/operator-scenarios.ts";
import { paintFor } from "../explain/text-layout.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";
import { type StatusNode, worstState } from "./status-node.ts";
import { statusText } from "./status-text.ts";
import { statusTree } from "./status-tree.ts";

const statusOf = ({ client }: ExplainCluster) =>
  statusTree("https://server", new Facts({ client, clock: systemClock, known: new KnownSecrets() }));

const textOf = async (cluster: ExplainCluster) => statusText(await statusOf(cluster), paintFor(false, {}));

/** All names from the root down to the first that ends so. */
function pathTo(tree: StatusNode, end: string): string[] | undefined {
  if (tree.name.endsWith(end)) return [tree.name];
  for (const child of tree.children) {
    const path = pathTo(child, end);
    if (path !== undefined) return [tree.name, ...path];
  }
  return undefined;
}

function namesBelow(tree: StatusNode, name: string): string[] {
  if (tree.name === name) return tree.children.map((child) => child.name);
  return tree.children.flatMap((child) => namesBelow(child, name));
}

describe("the status of a cluster with operators", () => {
  const stack = new AsyncDisposableStack();
  let cluster: ExplainCluster;

  beforeAll(async () => {
    cluster = stack.use(await startExplainCluster());
    await startOperators(cluster, stack);
  });
  afterAll(() => stack.disposeAsync());

  it("goes from the storage operator to the driver's workloads, and says what is not well", async () => {
    await expect
      .poll(() => textOf(cluster))
      .toMatch(/Deployment openshift-cluster-csi-drivers\/openstack-cinder-csi-driver-controller .*0\/\d available/u);
    const tree = await statusOf(cluster);
    expect(pathTo(tree, "openstack-cinder-csi-driver-controller")).toEqual([
      "Cluster https://server",
      "ClusterOperator storage",
      "Storage cluster",
      `ClusterCSIDriver ${cinder}`,
      "Deployment openshift-cluster-csi-drivers/openstack-cinder-csi-driver-controller",
    ]);
    expect(await textOf(cluster)).toMatch(/there are no nodes|SIDECAR_UNSCHEDULABLE/u);
    expect(worstState(tree)).toBe("bad");
  });

  it("shows below a driver what its own operator keeps, and no other's sidecars", async () => {
    const name = "smb.csi.k8s.io";
    await cluster.client.create(clusterCSIDrivers, { metadata: { name }, spec: { managementState: "Managed" } });
    const profile = await loadDriverProfile("smb");
    stack.use(
      await runOperator(cluster.client, "openshift-cluster-csi-drivers", (deps) => createDriverOperator(deps, profile)),
    );
    const below = async () => namesBelow(await statusOf(cluster), `ClusterCSIDriver ${name}`);
    await expect
      .poll(below)
      .toEqual([
        "Deployment openshift-cluster-csi-drivers/smb-csi-driver-controller",
        "DaemonSet openshift-cluster-csi-drivers/smb-csi-driver-node",
      ]);
  });

  it("begins with the ClusterVersion where there is one, and says that nobody has reported yet", async () => {
    const spec = { clusterID: "f8a7a4c2-9d3e-4b46-8f6e-0a3b1c2d3e4f" };
    await cluster.client.create(clusterVersions, { metadata: { name: "version" }, spec });
    const tree = await statusOf(cluster);
    expect(tree).toMatchObject({ name: "ClusterVersion version", state: "unknown" });
    expect(await textOf(cluster)).toMatch(/^\?\? ClusterVersion version/u);
  });

  it("fits in 80 columns but for names and commands", async () => {
    const long = (await textOf(cluster))
      .split("\n")
      .filter((line) => line.length > 80 && !/^(?:ok|!!|\?\?|\.\.|--) /u.test(line));
    expect(long.filter((line) => line.trim().includes(" "))).toEqual([]);
  });
});

describe("the status of a plain cluster", () => {
  it("shows drivers, their Pods on nodes and classes, though it has no operators", async () => {
    await using cluster = await startExplainCluster({ crds: [] });
    await using scene = new Scene(cluster, await cluster.namespace());
    const driver = await scene.driver({ sidecars: [] });
    await scene.node("a");
    await scene.storageClass(driver, { metadata: { name: "fast" } });
    await scene.storageClass("gone.example.org", { metadata: { name: "slow" } });
    await scene.daemonSet("driver", driver.name);
    await expect.poll(() => textOf(cluster)).toMatch(/Pod shop-\d+\/driver-\S+ \(on shop-\d+-a, Pending\)/u);
    const text = await textOf(cluster);
    expect(text).toMatch(/^ok Cluster https:\/\/server \(no ClusterVersion\)/u);
    expect(text).toMatch(/!! {5}DaemonSet shop-\d+\/driver 1 \(0\/1 available\)/u);
    expect(text).toMatch(
      /StorageClass shop-\d+-slow \(gone\.example\.org\)\n\s+No driver gone\.example\.org is installed\./u,
    );
    expect(text).toMatch(/None is the default/u);
  });
});
