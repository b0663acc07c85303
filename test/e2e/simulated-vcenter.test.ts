import { expect, it } from "vitest";
import { vcenterInventory as inventory } from "../../packages/cli/src/up/platforms/vcenter/inventory.ts";
import { startSimulatedVCenter } from "../../packages/cli/src/up/platforms/vcenter/simulated-vcenter.ts";
import { createCloudHttp } from "../../packages/operators/src/cloud-config/index.ts";
import {
  checkMachine,
  checkVCenterVersion,
} from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/checks/environment-checks.ts";
import { ensureStoragePolicy } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/policy/storage-policy.ts";
import { SoapClient } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap.ts";
import { soapVCenter } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap-vcenter.ts";

// Before the operator's own client, which `vcenter.test.ts` shows to be one of VMware's simulator.

const { signal } = new AbortController();

async function connected(port: number) {
  const connect = soapVCenter({ env: {}, authority: () => undefined });
  return connect({ server: "127.0.0.1", port, isVerified: false, user: "anybody", password: "any" }, signal);
}

it("the simulated vCenter passes all that the operator checks", async () => {
  await using simulated = await startSimulatedVCenter(undefined);
  const vcenter = await connected(simulated.port);
  expect(checkVCenterVersion(vcenter.version)).toMatchObject({ action: "Pass" });
  const machine = await vcenter.machine("00000000-0000-4000-8000-000000000001", signal);
  expect(checkMachine({ nodeName: "node-1", machine, maxVolumes: 255 })).toMatchObject({ action: "Pass" });
  await vcenter.logout(signal);
});

it("the simulated vCenter keeps the policy that the operator makes, once", async () => {
  await using simulated = await startSimulatedVCenter(undefined);
  const vcenter = await connected(simulated.port);
  const datastores = [`/${inventory.datacenter}/datastore/${inventory.datastore}`];
  for (let times = 0; times < 2; times++) await ensureStoragePolicy(vcenter, { clusterId: "x", datastores }, signal);
  expect(await vcenter.policies.names(signal)).toEqual(["openshift-storage-policy-x"]);
  const category = await vcenter.tags.category("openshift-x", signal);
  const tag = await vcenter.tags.tag("x", category?.id ?? "", signal);
  const datastore = await vcenter.datastore(datastores[0] ?? "", signal);
  if (datastore === undefined) throw new Error("there is a datastore");
  expect(await vcenter.tags.tagsOf(datastore, signal)).toEqual([tag]);
  expect(await vcenter.datastore("/elsewhere/datastore/x", signal)).toBeUndefined();
});

it("the simulated vCenter says that it does not know what it was not made for", async () => {
  await using simulated = await startSimulatedVCenter(undefined);
  const client = new SoapClient(createCloudHttp({ isVerified: false, env: {} }), `${simulated.url}/sdk`);
  const asked = client.call("PowerOffVM_Task", { type: "VirtualMachine", id: "vm-1" }, "", signal);
  await expect(asked).rejects.toMatchObject({
    code: "CLOUD_REFUSED",
    message: expect.stringContaining("NotSupported"),
  });
});
