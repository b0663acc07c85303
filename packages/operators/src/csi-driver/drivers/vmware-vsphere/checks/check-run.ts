import type { KubeClient } from "@stowage/kube";
import { type ClusterCSIDriver, type CSIDriver, csiNodes, type Node, nodes, StowageError } from "@stowage/machinery";
import type { ConfigSource } from "../config/config-source.ts";
import { maxVolumesGate, maxVolumesPerNode } from "../driver-settings.ts";
import type { CheckedVCenter, ConnectVCenter, VirtualMachine } from "../vcenter/vcenter.ts";
import { type CheckResult, gravest } from "./check-result.ts";
import {
  checkExistingDriver,
  checkMachine,
  checkVCenterVersion,
  foreignNode,
  machineUuidOf,
} from "./environment-checks.ts";

export interface CheckRunDeps {
  readonly client: Pick<KubeClient, "list">;
  readonly source: Pick<ConfigSource, "vcenters">;
  readonly connect: ConnectVCenter<CheckedVCenter>;
  /** Of the cluster, those that are on. */
  readonly gates: (signal: AbortSignal) => Promise<ReadonlySet<string>>;
}

export interface CheckRunInput {
  readonly driver: ClusterCSIDriver;
  /** Of the driver's name, whoever has made it. */
  readonly csiDriver: CSIDriver | undefined;
}

/** At once; vCenter has other clients too. */
const CONCURRENT_MACHINES = 10;
const mixedNodesGate = "VSphereMixedNodeEnv";

/** All checks, and what the gravest of them says. What vCenter does not let us know is a result too. */
export async function runChecks(deps: CheckRunDeps, input: CheckRunInput, signal: AbortSignal): Promise<CheckResult> {
  const connections: CheckedVCenter[] = [];
  try {
    try {
      const accesses = await deps.source.vcenters(signal);
      for (const access of accesses) connections.push(await deps.connect(access, signal));
    } catch (error) {
      return connectionFailure(error);
    }
    return gravest(await allResults(deps, { ...input, connections }, signal));
  } finally {
    // It has said what it knows; a session that stays ends by itself.
    await Promise.allSettled(connections.map((connection) => connection.logout(signal)));
  }
}

function connectionFailure(error: unknown): CheckResult {
  if (!(error instanceof StowageError)) throw error;
  if (error.code === "CLOUD_CONFIG_INVALID") {
    return { action: "Degrade", status: "openshift_api_error", message: error.message };
  }
  const message = `Failed to connect to vSphere: ${error.message}`;
  return { action: "BlockUpgradeOrDegrade", status: "vsphere_connection_failed", message };
}

interface Run extends CheckRunInput {
  readonly connections: readonly CheckedVCenter[];
}

async function allResults(deps: CheckRunDeps, run: Run, signal: AbortSignal): Promise<CheckResult[]> {
  const { driver, csiDriver, connections } = run;
  const { items: known } = await deps.client.list(csiNodes, { signal });
  return [
    checkExistingDriver(csiDriver, known, driver.metadata.name ?? ""),
    ...connections.map(({ version }) => checkVCenterVersion(version)),
    ...(await machineResults(deps, run, signal)),
  ];
}

/** Stops at the first that fails: of a thousand nodes with one mistake, one is enough to be told. */
async function machineResults(deps: CheckRunDeps, run: Run, signal: AbortSignal): Promise<CheckResult[]> {
  const gates = await deps.gates(signal);
  const maxVolumes = gates.has(maxVolumesGate) ? maxVolumesPerNode(run.driver) : undefined;
  const { items } = await deps.client.list(nodes, { labelSelector: "kubernetes.io/os=linux", signal });
  const results: CheckResult[] = [];
  for (let at = 0; at < items.length; at += CONCURRENT_MACHINES) {
    const some = items.slice(at, at + CONCURRENT_MACHINES);
    const checked = await Promise.all(
      some.map(async (node) => {
        const uuid = machineUuidOf(node, gates.has(mixedNodesGate));
        if (uuid === undefined) return foreignNode(node);
        return machineResult(node, { uuid, maxVolumes, connections: run.connections }, signal);
      }),
    );
    results.push(...checked);
    if (checked.some(({ action }) => action !== "Pass")) break;
  }
  return results;
}

interface MachineSearch {
  readonly uuid: string;
  readonly maxVolumes: number | undefined;
  readonly connections: readonly CheckedVCenter[];
}

async function machineResult(node: Node, search: MachineSearch, signal: AbortSignal): Promise<CheckResult> {
  const { uuid, maxVolumes, connections } = search;
  try {
    let machine: VirtualMachine | undefined;
    for (const connection of connections) machine ??= await connection.machine(uuid, signal);
    return checkMachine({ nodeName: node.metadata.name ?? "", machine, maxVolumes });
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    return { action: "BlockUpgradeOrDegrade", status: "vcenter_api_error", message: error.message };
  }
}
