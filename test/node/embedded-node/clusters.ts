import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lab, startLab, startTemporaryLab } from "@stowage/lab";
import { isConditionTrue, nodes } from "@stowage/machinery";
import { startEmbeddedProcess } from "../../api/embedded-process/embedded-process.ts";
import { type Cluster, connected, newRunId } from "../../cluster/embedded-scenarios/clusters.ts";

/** A cluster of one node that runs Pods. */
export interface NodeCluster extends Cluster {
  readonly kubeconfigPath: string;
  readonly nodeName: string;
  /** The node agent's own: drivers register below, volumes are mounted below. */
  readonly kubeletFolder: string;
  /** On the machine, for what scenarios put there. */
  readonly folder: string;
  /** The addresses of the node and of its Pods. */
  readonly addresses: RegExp;
  /** Kills what runs the node, and starts it again. */
  restartAgent(): Promise<void>;
}

export interface ClusterOptions {
  /** Of a lab with a node that is up, and stays so; a temporary one is started when left out. */
  readonly labFolder?: string | undefined;
  /** Whether the real one stands in for ours, to see what does not end twice in the same way. */
  readonly isSelfTest?: boolean;
}

const PATIENCE_MS = 30_000;
const STEP_MS = 100;

export async function startClusters({ labFolder, isSelfTest = false }: ClusterOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const runId = newRunId();
  const folder = mkdtempSync(join(tmpdir(), "embedded-node-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [real, embedded] = await Promise.all([
    labCluster(stack, await lab(stack, labFolder), folder),
    isSelfTest ? undefined : embeddedCluster(stack, folder),
  ]);
  const clusters = { real: { ...real, runId: `${runId}a` }, embedded: { ...(embedded ?? real), runId: `${runId}b` } };
  const owned = stack.move();
  return { ...clusters, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function lab(stack: AsyncDisposableStack, folder: string | undefined): Promise<Lab> {
  if (folder !== undefined) return await startLab({ dir: folder, level: "node" });
  const temporary = await startTemporaryLab({ level: "node" });
  stack.defer(() => temporary.stop());
  return temporary;
}

type Found = Omit<NodeCluster, "runId">;

async function labCluster(stack: AsyncDisposableStack, started: Lab, folder: string) {
  const { kubeconfigPath, kubeletFolder } = started;
  const client = await connected(stack, kubeconfigPath, "scenario");
  const nodeName = (await client.list(nodes)).items[0]?.metadata.name ?? "";
  const addresses = /\b(?:10\.7[78]\.\d{1,3}\.\d{1,3}|127\.0\.0\.1)\b/gu;
  const restartAgent = async () => {
    await started.kill("kubelet");
    await started.start("kubelet");
  };
  const place = { nodeName, kubeletFolder, folder: join(folder, "real"), addresses };
  return { client, kubeconfigPath, ...place, restartAgent } satisfies Found;
}

async function embeddedCluster(stack: AsyncDisposableStack, folder: string): Promise<Found> {
  const embedded = stack.use(await startEmbeddedProcess());
  const { kubeconfigPath, nodeName, kubeletFolder } = embedded;
  const client = await connected(stack, kubeconfigPath, "scenario");
  await until(async () => {
    const node = await client.find(nodes, { name: nodeName });
    return isConditionTrue(node?.status?.conditions, "Ready") && (node?.spec?.taints ?? []).length === 0;
  });
  const addresses = /\b127(?:\.\d{1,3}){3}\b/gu;
  const restartAgent = async () => {
    await embedded.kill();
    embedded.start();
    await until(() => client.find(nodes, { name: nodeName }).then(Boolean, () => false));
  };
  const place = { nodeName, kubeletFolder, folder: join(folder, "ours"), addresses };
  return { client, kubeconfigPath, ...place, restartAgent };
}

/** For as long as it may take; what comes of it if it is not so is seen elsewhere. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo()) && performance.now() < end) await sleep(STEP_MS);
}
