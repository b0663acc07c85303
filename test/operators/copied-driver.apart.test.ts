import { clusterCSIDrivers, namespaces } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { OwnCheckout } from "./copied-driver/own-checkout.ts";
import { assetIdentities, namesOf, readAll } from "./driver-operator/applied-objects.ts";
import { allDefinitions, type OperatorCluster, startOperatorCluster } from "./driver-operator/operator-cluster.ts";
import { becomeAvailable, becomeAvailableOnNodes, createDriver, namespace } from "./driver-operator/platform.ts";
import { RunningOperator, requestText } from "./driver-operator/running-operator.ts";

// As docs/guides/driver-profiles.md says that a driver is added: by a folder, and nothing else. In a checkout of the test's own.

const original = "smb";
const copy = "acme-files";

let checkout: OwnCheckout;

beforeAll(async () => {
  checkout = new OwnCheckout();
  checkout.copyDriver(original, copy);
});
afterAll(() => checkout?.[Symbol.dispose]());

describe("a driver's folder that was copied under another name", () => {
  it("is unknown before the files are generated, and known afterwards", async () => {
    await expect(checkout.stowage("render", copy)).rejects.toThrow(`there is no operator for the driver "${copy}"`);
    expect(await checkout.generate()).toEqual(
      expect.arrayContaining([
        "packages/operators/src/csi-driver/drivers/generated/driver-table.ts",
        `packages/operators/rendered/${copy}.yaml`,
      ]),
    );
  }, 300_000);

  it("renders what the original renders, without a change to any file", async () => {
    expect(await checkout.stowage("render", copy)).toBe(await checkout.stowage("render", original));
    expect(checkout.assets(copy)).toEqual(checkout.assets(original));
  }, 300_000);
});

describe("the copy, when its own names are in its folder", () => {
  const driverName = "acme.nfs.csi.ceph.com";
  let cluster: OperatorCluster;
  let operator: RunningOperator;

  beforeAll(async () => {
    checkout.replaceInDriver(copy, {
      "smb.csi.k8s.io": driverName,
      "smb-csi-driver": "acme-csi-driver",
      'assetShortPrefix: "smb"': 'assetShortPrefix: "acme"',
      Samba: "Acme",
    });
    await checkout.generate();
    cluster = await startOperatorCluster();
    await cluster.install(...allDefinitions);
    await cluster.client.create(namespaces, { metadata: { name: namespace } });
    // Drivers are bound to these, which the payload brings.
    const manifests = readAssetFolder(new URL("../../packages/operators/manifests/", import.meta.url));
    await cluster.apply(...manifests.filter(({ name }) => name.includes("sidecar_roles")).flatMap(parseManifests));
    operator = new RunningOperator(cluster, await checkout.profile(copy), checkout.mainPath);
  }, 300_000);
  afterAll(async () => {
    await operator?.stop();
    await cluster?.[Symbol.asyncDispose]();
  });

  it("has none of the original's names", () => {
    const text = JSON.stringify(checkout.assets(copy));
    expect(text).toContain(driverName);
    expect(text).not.toMatch(/smb-|smb\.csi|Samba/u);
  });

  it("is kept by an operator of its own: all objects, available with its workloads, and nothing refused", async () => {
    await createDriver(cluster, driverName);
    await operator.start();
    const wanted = assetIdentities(operator.profile, "combined");
    expect(wanted.length).toBeGreaterThan(18);
    await eventually(async () => expect(await namesOf(cluster, wanted, "missing")).toEqual([]));
    expect(JSON.stringify(await readAll(cluster, wanted))).not.toContain("${");
    await becomeAvailable(cluster, "acme-csi-driver-controller");
    await becomeAvailableOnNodes(cluster, "acme-csi-driver-node");
    await eventually(async () => {
      const said = await cluster.conditions(driverName);
      for (const part of ["Controller", "Node"]) {
        expect(said).toContain(`AcmeDriver${part}ServiceControllerAvailable=True/AsExpected`);
      }
      expect(said.filter((each) => each.includes("Degraded=True"))).toEqual([]);
    });
    expect(refused()).toEqual([]);
  }, 300_000);

  it("goes as the original goes: with its ClusterCSIDriver, and leaves nothing", async () => {
    await cluster.client.delete(clusterCSIDrivers, { name: driverName });
    await eventually(async () =>
      expect(await cluster.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined(),
    );
    expect(await namesOf(cluster, assetIdentities(operator.profile), "there")).toEqual([]);
    expect(refused()).toEqual([]);
  }, 300_000);

  const refused = () =>
    operator
      .requests()
      .filter(({ isAllowed }) => !isAllowed)
      .map(requestText);
});
