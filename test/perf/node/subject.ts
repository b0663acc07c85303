import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { nodes } from "@stowage/machinery";
import { type ComponentName, startTemporaryLab, stderrProgress } from "../../../lab/src/index.ts";
import { startEmbeddedProcess } from "../../api/embedded-process/embedded-process.ts";
import { processMemory } from "../csi/process-memory.ts";
import { startEmbeddedParts } from "./embedded-parts.ts";

export type SubjectName = "real" | "parts" | "embedded";

/** RSS in bytes, by who they are. */
export type Memory = Readonly<Record<string, number>>;

/** A cluster of one node that is measured. */
export interface NodeSubject extends AsyncDisposable {
  readonly name: SubjectName;
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly kubeletFolder: string;
  /** Of those who run controllers and Pods. */
  memory(): Promise<Memory>;
  /** Of what stands beside each Pod, which does not count. */
  memoryBeside(): Promise<Memory>;
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
  const isShim = (words: string) => words.startsWith("containerd-shim") || words.includes("/containerd-shim");
  return {
    name: "real",
    ...connection,
    kubeletFolder: lab.kubeletFolder,
    memory: async () => Object.fromEntries(await Promise.all(realParts.map(rssOf))),
    memoryBeside: async () => ({ shims: await rssOfAll((words) => isShim(words) && words.includes(lab.dir)) }),
    async [Symbol.asyncDispose]() {
      connection.close();
      await lab.stop();
    },
  };
}

/** Controllers and node agent as the processes that a user starts, from the bundle. Their API server does not count, nor does the real one. */
export async function startParts(signal: AbortSignal): Promise<NodeSubject> {
  const parts = await startEmbeddedParts(signal);
  const connection = await connect(parts.kubeconfigPath);
  return {
    name: "parts",
    ...connection,
    kubeletFolder: parts.kubeletFolder,
    memory: () => parts.memory(),
    memoryBeside: async () => ({
      keepers: await rssOfAll((words) => words.includes(`${parts.kubeletFolder}/containers`)),
    }),
    async [Symbol.asyncDispose]() {
      connection.close();
      await parts[Symbol.asyncDispose]();
    },
  };
}

/** One process that is all of it, from the sources. The API server, which is in it, counts with it. */
export async function startEmbeddedNode(): Promise<NodeSubject> {
  const embedded = await startEmbeddedProcess();
  const connection = await connect(embedded.kubeconfigPath);
  return {
    name: "embedded",
    ...connection,
    kubeletFolder: embedded.kubeletFolder,
    memory: async () => ({ "all in one": (await processMemory(embedded.pid)).rssBytes }),
    memoryBeside: async () => ({
      keepers: await rssOfAll((words) => words.includes(`${embedded.kubeletFolder}/containers`)),
    }),
    async [Symbol.asyncDispose]() {
      connection.close();
      await embedded[Symbol.asyncDispose]();
    },
  };
}

/** Of all processes that are started with such words. */
async function rssOfAll(isMeant: (words: string) => boolean): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const sizes = pids.map(async (pid) => {
    // One that has ended meanwhile has no memory.
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return isMeant(words)
      ? await processMemory(Number(pid)).then(
          ({ rssBytes }) => rssBytes,
          () => 0,
        )
      : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

const PATIENCE_MS = 120_000;
const STEP_MS = 100;

/** When there is a node. */
async function connect(path: string) {
  // A hundred Pods at once are as many connections, on a machine that is busy with them.
  const connection = await loadKubeconfig({ path, env: {}, homeDir: "/" });
  const transport = createTransport(connection, { connectTimeoutMs: PATIENCE_MS });
  const client = createClient({ transport });
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
    const [node] = (await client.list(nodes)).items;
    if (node !== undefined) return { client, nodeName: node.metadata.name ?? "", close: () => transport.close() };
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  throw new Error(`the cluster of ${path} has no node`);
}
