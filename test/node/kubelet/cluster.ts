import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { type Lab, startTemporaryLab, stderrProgress, type TemporaryLabOptions } from "@stowage/lab";
import { events, nodes, type Pod, pods } from "@stowage/machinery";
import { expect, vi } from "vitest";

const run = promisify(execFile);

/** A cluster of one node with a kubelet, and what a test does there, whoever runs it. */
export interface Cluster extends AsyncDisposable {
  /** The administrator's. */
  readonly kubeconfigPath: string;
  readonly kubectlPath: string;
  readonly kubeletFolder: string;
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly namespace: string;
  create(pod: Pod): Promise<void>;
  /** Creates the Pod and waits until it is ready. */
  start(pod: Pod): Promise<void>;
  awaitReady(name: string): Promise<void>;
  /** Also waits until the Pod is gone: kubelet has then unpublished its volumes. */
  remove(name: string): Promise<void>;
  /** What the command prints in the Pod. */
  shell(name: string, script: string): Promise<string>;
  /** What kubelet and others had to say of the Pod. */
  complaints(name: string): Promise<string[]>;
  /** What kubelet's summary says of a claim's volume in a Pod. */
  volumeStats(name: string, claim: string): Promise<VolumeStats | undefined>;
}

/** One whose node can be taken away. */
export interface MortalCluster extends Cluster {
  /** As a crash; what runs in Pods runs on. */
  killNode(): Promise<void>;
  startNode(): Promise<void>;
}

/** One of real components. */
export interface LabCluster extends MortalCluster {
  readonly lab: Lab;
}

export interface VolumeStats {
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
  readonly availableBytes?: number;
  readonly inodes?: number;
  readonly pvcRef?: { readonly name: string };
}

interface StatsSummary {
  readonly pods: readonly { readonly podRef: { readonly name: string }; readonly volume?: readonly VolumeStats[] }[];
}

const NAMESPACE = "default";
const PATIENCE_MS = 90_000;

/** Until the assertion holds; what it found last is the failure otherwise. */
export function eventually<T>(assertion: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  return vi.waitFor(assertion, { timeout: timeoutMs, interval: 200 });
}

export async function startCluster(
  options: Pick<TemporaryLabOptions, "extraFlags" | "kubeletFolder"> = {},
): Promise<LabCluster> {
  const lab = await startTemporaryLab({ ...options, level: "node", progress: stderrProgress });
  const transport = createTransport(await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  const nodeName = (await client.list(nodes)).items[0]?.metadata.name ?? "";
  const { kubeconfigPath, kubectlPath, kubeletFolder } = lab;
  const base = { kubeconfigPath, kubectlPath, kubeletFolder, client, nodeName, namespace: NAMESPACE };
  return {
    ...clusterOf(base),
    lab,
    killNode: () => lab.kill("kubelet"),
    startNode: () => lab.start("kubelet"),
    async [Symbol.asyncDispose]() {
      transport.close();
      await lab.stop();
    },
  };
}

/** What can be done with a cluster, whoever made it. */
export function clusterOf(base: Base): Omit<Cluster, typeof Symbol.asyncDispose> {
  return { ...base, ...podCalls(base.client), ...podQuestions(base) };
}

function podCalls(client: KubeClient): Pick<Cluster, "create" | "start" | "awaitReady" | "remove"> {
  const create = async (pod: Pod) => void (await client.create(pods, pod));
  const awaitReady = (name: string) =>
    eventually(async () => {
      const { status } = await client.get(pods, { namespace: NAMESPACE, name });
      expect(status?.conditions, `Pod ${name}`).toContainEqual(
        expect.objectContaining({ type: "Ready", status: "True" }),
      );
    });
  return {
    create,
    awaitReady,
    async start(pod) {
      await create(pod);
      await awaitReady(pod.metadata.name ?? "");
    },
    async remove(name) {
      await client.delete(pods, { namespace: NAMESPACE, name });
      await eventually(async () => expect(await client.find(pods, { namespace: NAMESPACE, name })).toBeUndefined());
    },
  };
}

type Base = Pick<Cluster, "kubeconfigPath" | "kubectlPath" | "kubeletFolder" | "client" | "nodeName" | "namespace">;

function podQuestions({
  kubeconfigPath,
  kubectlPath,
  client,
  nodeName,
}: Base): Pick<Cluster, "shell" | "complaints" | "volumeStats"> {
  return {
    async shell(name, script) {
      const words = ["--kubeconfig", kubeconfigPath, "exec", "--namespace", NAMESPACE, name, "--", "sh", "-c", script];
      return (await run(kubectlPath, words)).stdout.trim();
    },
    async complaints(name) {
      const fieldSelector = `involvedObject.name=${name},type=Warning`;
      const { items } = await client.list(events, { namespace: NAMESPACE, fieldSelector });
      return items.map(({ message }) => message ?? "");
    },
    async volumeStats(name, claim) {
      const summary = await client.getPath<StatsSummary>(`/api/v1/nodes/${nodeName}/proxy/stats/summary`);
      const found = summary.pods.find(({ podRef }) => podRef.name === name);
      return found?.volume?.find(({ pvcRef }) => pvcRef?.name === claim);
    },
  };
}
