import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createCloudHttp,
  elementsIn,
  elementText,
  escapeXml,
} from "../../packages/operators/src/cloud-config/index.ts";
import {
  checkMachine,
  checkVCenterVersion,
} from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/checks/environment-checks.ts";
import { ensureStoragePolicy } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/policy/storage-policy.ts";
import { SoapClient } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap.ts";
import { soapVCenter } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap-vcenter.ts";
import type { VCenter } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/vcenter.ts";
import { firstMachineUuid, type SimulatedVCenter, startSimulatedVCenter } from "./vsphere/simulated-vcenter.ts";

// Our requests, before VMware's own simulator: it reads them by the definitions that vCenter has.

const { signal } = new AbortController();
const connect = soapVCenter({ env: {}, authority: () => undefined });

const login = { user: "DOMAIN\\user", password: "p&ss\"<'>" };
let simulated: SimulatedVCenter;
let old: SimulatedVCenter;
const access = (rest: object = {}) => ({
  server: simulated.server,
  port: simulated.port,
  isVerified: false,
  ...login,
  ...rest,
});

beforeAll(async () => {
  simulated = await startSimulatedVCenter({ login });
  old = await startSimulatedVCenter({ version: "6.5", hostVersion: "6.5.0", hardwareVersion: "vmx-13" });
}, 300_000);
afterAll(() => Promise.all([simulated?.[Symbol.asyncDispose](), old?.[Symbol.asyncDispose]()]));

describe("vCenter", () => {
  it("says which version it is, and what the check makes of that", async () => {
    for (const [port, version, status] of [
      [simulated.port, "8.0.2.0", "pass"],
      [old.port, "6.5", "check_deprecated_vcenter"],
    ] as const) {
      const vcenter = await connect(access({ port }), signal);
      expect(vcenter.version).toBe(version);
      expect(checkVCenterVersion(vcenter.version)).toMatchObject({ status });
      await vcenter.logout(signal);
    }
  });

  it("knows a node's machine by its UUID, with hardware and host", async () => {
    for (const [port, hardwareVersion, version, status] of [
      [simulated.port, "vmx-19", "8.0.2.0", "pass"],
      [old.port, "vmx-13", "6.5.0", "check_deprecated_hw_version"],
    ] as const) {
      const vcenter = await connect(access({ port }), signal);
      const machine = await vcenter.machine(await firstMachineUuid(simulated, login), signal);
      expect(machine).toEqual({ hardwareVersion, host: { id: expect.stringMatching(/^host-/u), version } });
      expect(checkMachine({ nodeName: "node-1", machine, maxVolumes: undefined })).toMatchObject({ status });
    }
  });

  it("does not know a machine that is not there", async () => {
    const vcenter = await connect(access(), signal);
    expect(await vcenter.machine("00000000-0000-0000-0000-000000000000", signal)).toBeUndefined();
  });

  it("is not asked for anything once somebody has logged out", async () => {
    const vcenter = await connect(access(), signal);
    await vcenter.logout(signal);
    await expect(vcenter.machine("x", signal)).rejects.toMatchObject({ code: "CLOUD_REFUSED" });
  });

  it("refuses whoever has another password", async () => {
    const attempt = connect(access({ password: "hidden" }), signal);
    await expect(attempt).rejects.toMatchObject({ code: "CLOUD_REFUSED" });
    await expect(attempt).rejects.not.toThrow(/hidden/u);
  });

  it("is not talked to by a certificate that nobody has signed, unless that was said", async () => {
    await expect(connect(access({ isVerified: true }), signal)).rejects.toMatchObject({ code: "CLOUD_UNREACHABLE" });
  });
});

describe("the storage policy of a cluster", () => {
  const datastores = ["/DC0/datastore/LocalDS_0", "/DC0/datastore/LocalDS_1"];
  const ensure = async (vcenter: VCenter, clusterId = "shop-x7") =>
    ensureStoragePolicy(vcenter, { clusterId, datastores }, signal);

  it("is made of a category, a tag and what the datastores are marked with, and is there once", async () => {
    const vcenter = await connect(access(), signal);
    const before = await vcenter.policies.names(signal);
    await ensure(vcenter);
    await ensure(vcenter);
    expect((await vcenter.policies.names(signal)).toSorted()).toEqual(
      [...before, "openshift-storage-policy-shop-x7"].toSorted(),
    );
    const category = await vcenter.tags.category("openshift-shop-x7", signal);
    expect(category?.types).toContain("urn:vim25:Datastore");
    const tag = await vcenter.tags.tag("shop-x7", category?.id ?? "", signal);
    for (const path of datastores) {
      const datastore = await vcenter.datastore(path, signal);
      if (datastore === undefined) throw new Error(`${path} is there`);
      expect(datastore.url).not.toBe("");
      expect(await vcenter.tags.tagsOf(datastore, signal)).toEqual([tag]);
    }
    await vcenter.logout(signal);
  });

  it("finds storage by its tag: vCenter has the rule as it reads such rules", async () => {
    const vcenter = await connect(access(), signal);
    await ensure(vcenter, "found-x7");
    const profiles = await rawPolicies();
    const own = elementsIn(profiles, "returnval").find((each) => each.includes("openshift-storage-policy-found-x7"));
    expect(elementText(own ?? "", "namespace")).toBe("http://www.vmware.com/storage/tag");
    expect(own).toContain("com.vmware.storage.tag.openshift-found-x7.property");
    expect(elementText(own ?? "", "values")).toBe("found-x7");
  });

  it("takes over a category that the installer has made for fewer things", async () => {
    const vcenter = await connect(access(), signal);
    await vcenter.tags.createCategory({ name: "openshift-early-x7", types: ["urn:vim25:Folder"] }, signal);
    await ensure(vcenter, "early-x7");
    const category = await vcenter.tags.category("openshift-early-x7", signal);
    expect(category?.types).toEqual(expect.arrayContaining(["urn:vim25:Folder", "urn:vim25:Datastore"]));
  });

  it("does not take a folder for a datastore", async () => {
    const vcenter = await connect(access(), signal);
    expect(await vcenter.datastore("/DC0/datastore", signal)).toBeUndefined();
    expect(await vcenter.datastore("/DC0/datastore/nowhere", signal)).toBeUndefined();
  });

  it("is nobody's business who has logged out", async () => {
    const vcenter = await connect(access(), signal);
    await vcenter.tags.category("openshift-shop-x7", signal);
    await vcenter.logout(signal);
    await expect(vcenter.policies.names(signal)).rejects.toMatchObject({ code: "CLOUD_REFUSED" });
  });
});

/** All of them, with what they ask for. */
async function rawPolicies(): Promise<string> {
  const http = createCloudHttp({ isVerified: false, env: {} });
  const client = new SoapClient(http, `https://${simulated.server}:${simulated.port}/sdk`);
  const names = `<userName>${escapeXml(login.user)}</userName><password>${escapeXml(login.password)}</password>`;
  await client.call("Login", { type: "SessionManager", id: "SessionManager" }, names, signal);
  const policies = client.policies();
  const manager = { type: "PbmProfileProfileManager", id: "ProfileManager" };
  const wanted = "<resourceType><resourceType>STORAGE</resourceType></resourceType>";
  const ids = elementsIn(await policies.call("PbmQueryProfile", manager, wanted, signal), "uniqueId");
  const asked = ids.map((id) => `<profileIds><uniqueId>${id}</uniqueId></profileIds>`).join("");
  return policies.call("PbmRetrieveContent", manager, asked, signal);
}
