import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { nodes } from "@stowage/machinery";
import { type ComponentName, startTemporaryLab, stderrProgress } from "../../../lab/src/index.ts";
import { startEmbeddedProcess } from "../../conformance/embedded-process/embedded-process.ts";
import { processMemory } from "../csi/process-memory.ts";

export type SubjectName = "embedded" | "real";

/** A cluster of one node that is measured. */
export interface NodeSubject extends AsyncDisposable {
  readonly name: SubjectName;
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly kubeletFolder: string;
  /** Of those who run controllers and Pods, by who they are. */
  memory(): Promise<Readonly<Record<string, number>>>;
}

/** What our controllers and node agent stand for. */
const realParts: readonly ComponentName[] = ["kube-controller-manager", "kube-scheduler", "kubelet", "containerd"];

export async function startRealNode(signal: AbortSignal): Promise<NodeSubject> {
  const lab = await startTemporaryLab({ level: "node", progress: stderrProgress, signal });
  const connection = await connect(lab.kubeconfigPath);
  const rssOf = async (name: ComponentName) => {
    const record = JSON.parse(await readFile(join(lab.dir, "pid", `${name}.json`), "utf8")) as { readonly pid: number };
    return [name, (await processMemory(record.pid)).rssBytes] as const;
  };
  return {
    name: "real",
    client: connection.client,
    nodeName: connection.nodeName,
    kubeletFolder: lab.kubeletFolder,
    memory: async () => Object.fromEntries(await Promise.all(realParts.map(rssOf))),
    async [Symbol.asyncDispose]() {
      connection.close();
      await lab.stop();
    },
  };
}

/** One process that is all of it. The API server, which is in it, counts with ours; the real one's does not. */
export async function startEmbeddedNode(): Promise<NodeSubject> {
  const embedded = await startEmbeddedProcess();
  const connection = await connect(embedded.kubeconfigPath);
  return {
    name: "embedded",
    client: connection.client,
    nodeName: embedded.nodeName,
    kubeletFolder: embedded.kubeletFolder,
    memory: async () => ({ "all in one": (await processMemory(embedded.pid)).rssBytes }),
    async [Symbol.asyncDispose]() {
      connection.close();
      await embedded[Symbol.asyncDispose]();
    },
  };
}

const PATIENCE_MS = 60_000;
const STEP_MS = 100;

/** When there is a node. */
async function connect(path: string) {
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
    const [node] = (await client.list(nodes)).items;
    if (node !== undefined) return { client, nodeName: node.metadata.name ?? "", close: () => transport.close() };
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  throw new Error(`the cluster of ${path} has no node`);
}
