import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientName, controllerManager, runControllersMember, scheduler, startApiServer } from "@stowage/embedded";
import { type KubeClient, loadKubeconfig } from "@stowage/kube";
import { startTemporaryLab } from "@stowage/lab";
import { silentLogger, systemClock } from "@stowage/machinery";
import { connected, newRunId } from "../embedded-scenarios/clusters.ts";

export interface ClusterOptions {
  /** Of a real control plane without nodes; a temporary one is started when left out. */
  readonly realKubeconfig?: string | undefined;
  /** Whether the real one stands in for ours, to see what does not end twice in the same way. */
  readonly isSelfTest?: boolean;
}

const administrator = { user: "admin", group: "system:masters" };

export async function startClusters({ realKubeconfig, isSelfTest = false }: ClusterOptions) {
  await using stack = new AsyncDisposableStack();
  const runId = newRunId();
  const path = realKubeconfig ?? (await temporaryControlPlane(stack));
  const real = { client: await connected(stack, path, "scenario"), runId: `${runId}a` };
  const embedded = isSelfTest ? { ...real, runId: `${runId}b` } : { client: await embeddedCluster(stack), runId };
  const owned = stack.move();
  return { real, embedded, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function temporaryControlPlane(stack: AsyncDisposableStack): Promise<string> {
  const lab = await startTemporaryLab({ level: "control" });
  stack.defer(() => lab.stop());
  return lab.kubeconfigPath;
}

async function embeddedCluster(stack: AsyncDisposableStack): Promise<KubeClient> {
  const server = stack.use(await startApiServer());
  const folder = mkdtempSync(join(tmpdir(), "embedded-controllers-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, server.kubeconfig(administrator), { mode: 0o600 });
  const client = await connected(stack, path, "scenario");
  const stop = new AbortController();
  const connectionAs = (name: ClientName) => {
    writeFileSync(path, server.kubeconfig(name), { mode: 0o600 });
    return loadKubeconfig({ path, env: {}, homeDir: "/" });
  };
  // With the rights of the real ones, and no others.
  const [manager, ofScheduler] = [await connectionAs(controllerManager), await connectionAs(scheduler)];
  const { accountTokenKey } = server;
  const deps = { manager, scheduler: ofScheduler, accountTokenKey, clock: systemClock, logger: silentLogger };
  const running = runControllersMember(deps, stop.signal);
  stack.defer(() => {
    stop.abort();
    return running;
  });
  return client;
}
