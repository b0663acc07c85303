import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { csiNodes, nodes, storageClasses, systemClock } from "@stowage/machinery";
import { ensureSnapshotCrds } from "@stowage/sidecars";
import { type Lab, startTemporaryLab, stderrProgress } from "../../../lab/src/index.ts";
import { AuditLog } from "./audit-log.ts";
import { makeIdentity, SIDECARS_USER } from "./bench-identity.ts";

export const DRIVER_NAME = "mock.csi.stowage.dev";
export const TOPOLOGY = { key: "topology.mock.csi.stowage.dev/zone", value: "a" } as const;
export const CLASS_NAME = "immediate";
const NODES = 3;

export interface BenchCluster extends AsyncDisposable {
  /** The administrator's, without a limit. */
  readonly client: KubeClient;
  readonly audit: AuditLog;
  /** Of the sidecars, whose requests the audit log has. */
  readonly kubeconfig: string;
  readonly apiServerPid: number;
}

/** The real control plane, with nodes of the driver and all that the sidecars look for. The lab lifts kube-controller-manager's limits. */
export async function startBenchCluster(folder: string, signal: AbortSignal): Promise<BenchCluster> {
  const audit = new AuditLog(folder);
  await audit.writePolicy(SIDECARS_USER);
  const extraFlags = { "kube-apiserver": audit.flags };
  const lab = await startTemporaryLab({ extraFlags, progress: stderrProgress, signal });
  try {
    const admin = await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: folder });
    const transport = createTransport(admin);
    const client = createClient({ transport });
    const kubeconfig = join(folder, "sidecars.kubeconfig");
    await makeIdentity(client, admin, kubeconfig);
    await makeObjects(client);
    return {
      client,
      audit,
      kubeconfig,
      apiServerPid: await pidOf(lab, "kube-apiserver"),
      async [Symbol.asyncDispose]() {
        transport.close();
        await lab.stop();
      },
    };
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

async function makeObjects(client: KubeClient): Promise<void> {
  await ensureSnapshotCrds({ client, clock: systemClock }, { timeoutMs: 30_000 });
  for (let node = 0; node < NODES; node++) {
    const name = `node-${node}`;
    await client.create(nodes, { metadata: { name, labels: { [TOPOLOGY.key]: TOPOLOGY.value } } });
    const drivers = [{ name: DRIVER_NAME, nodeID: name, topologyKeys: [TOPOLOGY.key] }];
    await client.create(csiNodes, { metadata: { name }, spec: { drivers } });
  }
  await client.create(storageClasses, { metadata: { name: CLASS_NAME }, provisioner: DRIVER_NAME });
  // Capacity is told for classes that wait for a Pod.
  const volumeBindingMode = "WaitForFirstConsumer";
  await client.create(storageClasses, { metadata: { name: "late" }, provisioner: DRIVER_NAME, volumeBindingMode });
}

async function pidOf({ dir }: Lab, component: string): Promise<number> {
  const { pid } = JSON.parse(await readFile(join(dir, "pid", `${component}.json`), "utf8")) as { pid: number };
  return pid;
}
