import type { KubeClient } from "@stowage/kube";
import { type ClusterCSIDriver, type Node, StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { CheckedVCenter, VirtualMachine } from "../vcenter/vcenter.ts";
import { runChecks } from "./check-run.ts";

const { signal } = new AbortController();
const driver: ClusterCSIDriver = {
  apiVersion: "operator.openshift.io/v1",
  kind: "ClusterCSIDriver",
  metadata: { name: "csi.vsphere.vmware.com" },
  spec: { managementState: "Managed" },
};
const good: VirtualMachine = { hardwareVersion: "vmx-19", host: { id: "host-1", version: "8.0.2" } };
const nodeOf = (index: number, providerID = `vsphere://${index}`): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: `node-${index}` },
  spec: { providerID },
});

interface World {
  readonly failure?: StowageError;
  readonly version?: string;
  readonly machines?: (uuid: string) => VirtualMachine | undefined;
  readonly nodes?: readonly Node[];
}

/** A vCenter as it is told to be, and what it was asked. */
async function check({ failure, version = "8.0.2", machines = () => good, nodes = [nodeOf(1)] }: World) {
  const asked = { machines: 0, sessions: 0 };
  const connect = async (): Promise<CheckedVCenter> => {
    if (failure !== undefined) throw failure;
    asked.sessions++;
    return {
      server: "vc.test",
      version,
      machine: async (uuid) => {
        asked.machines++;
        return machines(uuid);
      },
      logout: async () => void asked.sessions--,
    };
  };
  const access = { server: "vc.test", port: undefined, datacenters: [], isVerified: true };
  const client = { list: async (type: { kind: string }) => ({ items: type.kind === "Node" ? nodes : [] }) };
  const result = await runChecks(
    {
      client: client as unknown as Pick<KubeClient, "list">,
      source: { vcenters: async () => [{ ...access, datastores: [], user: "u", password: "p" }] },
      connect,
      gates: async () => new Set(),
    },
    { driver, csiDriver: undefined },
    signal,
  );
  return { result, asked };
}

describe("all checks together", () => {
  it.each<[string, World, string]>([
    ["everything is well", {}, "Pass pass"],
    [
      "vCenter is away",
      { failure: new StowageError("CLOUD_UNREACHABLE", "x") },
      "BlockUpgradeOrDegrade vsphere_connection_failed",
    ],
    [
      "the configuration is wrong",
      { failure: new StowageError("CLOUD_CONFIG_INVALID", "x") },
      "Degrade openshift_api_error",
    ],
    ["vCenter is old", { version: "7.0.1" }, "BlockUpgrade check_deprecated_vcenter"],
    ["a machine is not found", { machines: () => undefined }, "BlockUpgradeOrDegrade vcenter_api_error"],
    ["a node is somebody else's", { nodes: [nodeOf(1), nodeOf(2, "aws:///x")] }, "Degrade non_vsphere_node"],
    [
      "there are two mistakes",
      { version: "7.0.1", machines: () => undefined },
      "BlockUpgradeOrDegrade vcenter_api_error",
    ],
  ])("when %s", async (_, world, expected) => {
    const { result, asked } = await check(world);
    expect(`${result.action} ${result.status}`).toBe(expected);
    expect(asked.sessions).toBe(0);
  });

  it("do not go on to a thousand nodes after the first mistake", async () => {
    const nodes = Array.from({ length: 1000 }, (_, index) => nodeOf(index));
    const { asked } = await check({ nodes, machines: () => undefined });
    expect(asked.machines).toBe(10);
  });
});
