import { join } from "node:path";
import { freePort } from "../csi/fake-kubelet.ts";
import { type ProcessMemory, processMemory } from "../csi/process-memory.ts";
import { type BenchCluster, DRIVER_NAME, TOPOLOGY } from "./bench-cluster.ts";
import { NAMESPACE } from "./bench-identity.ts";
import { startCommand, whenServed } from "./stowage-command.ts";

const CONTROLLERS = "provisioner,attacher,resizer,snapshotter,snapshot-controller";

export interface RunningDriver extends AsyncDisposable {
  readonly endpoint: string;
  /** How often each method was called since the last time this was asked. */
  takeCalls(): Promise<ReadonlyMap<string, number>>;
}

/** The mock driver, which keeps its volumes in memory, so that the driver is not what is measured. */
export async function startMockDriver(folder: string, signal: AbortSignal): Promise<RunningDriver> {
  const endpoint = `unix://${join(folder, "csi.sock")}`;
  const control = `127.0.0.1:${await freePort()}`;
  const where = ["--endpoint", endpoint, "--node-id", "node-0", "--driver-name", DRIVER_NAME];
  const topology = ["--topology", `${TOPOLOGY.key}=${TOPOLOGY.value}`, "--attachable-nodes", "any"];
  const command = startCommand(["driver", "mock", ...where, ...topology, "--control-endpoint", control], { signal });
  const url = `http://${control}/calls`;
  await whenServed(command, url, () => true);
  return {
    endpoint,
    async takeCalls() {
      const response = await fetch(url);
      const { calls } = (await response.json()) as { calls: { method: string }[] };
      await fetch(url, { method: "DELETE" });
      const counts = new Map<string, number>();
      for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
      return counts;
    },
    [Symbol.asyncDispose]: () => command[Symbol.asyncDispose](),
  };
}

export interface SidecarMemory extends ProcessMemory {
  /** Of the main thread; the one that holds the leases has its own. */
  readonly heapBytes: number;
}

export interface RunningSidecars extends AsyncDisposable {
  readonly pid: number;
  memory(): Promise<SidecarMemory>;
}

/** All sidecars in one process, as they are deployed: every controller on, capacity on, elected. Resolves when they lead. */
export async function startSidecars(
  { kubeconfig }: BenchCluster,
  { endpoint }: RunningDriver,
  { flags, signal }: { readonly flags: readonly string[]; readonly signal: AbortSignal },
): Promise<RunningSidecars> {
  const http = `127.0.0.1:${await freePort()}`;
  const where = [`--csi-address=${endpoint}`, `--kubeconfig=${kubeconfig}`, `--http-endpoint=${http}`];
  const capacity = ["--provisioner-enable-capacity", "--provisioner-capacity-ownerref-level=-1"];
  const command = startCommand(
    ["sidecars", `--controllers=${CONTROLLERS}`, "--leader-election", ...where, ...capacity, ...flags],
    { signal, env: { POD_NAMESPACE: NAMESPACE } },
  );
  const url = `http://${http}/metrics`;
  const pid = await whenServed(command, url, (text) => /^leader_election_master_status\{.*\} 1$/m.test(text));
  return {
    pid,
    async memory() {
      const response = await fetch(url);
      const heap = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(await response.text());
      return { ...(await processMemory(pid)), heapBytes: Number(heap?.[1]) };
    },
    [Symbol.asyncDispose]: () => command[Symbol.asyncDispose](),
  };
}
