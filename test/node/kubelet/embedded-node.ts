import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import { nodes } from "@stowage/machinery";
import { type NodePlace, startEmbeddedProcess } from "../../api/embedded-process/embedded-process.ts";
import { clusterOf, eventually, type MortalCluster } from "./cluster.ts";

/** An embedded cluster of one node that can be killed: API server, controllers and node at once. */
export function startEmbeddedNode(): Promise<MortalCluster> {
  return startEmbeddedNodes(1);
}

/** One of several nodes. What is said of "the node" is the first one's. */
export interface ManyNodeCluster extends MortalCluster {
  readonly nodes: readonly NodePlace[];
}

export async function startEmbeddedNodes(count: number): Promise<ManyNodeCluster> {
  const embedded = await startEmbeddedProcess({ nodes: count });
  const { kubeconfigPath, kubeletFolder, nodeName } = embedded;
  const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
  const transport = createTransport(await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  const awaitNode = () =>
    eventually(() => Promise.all(embedded.nodes.map((each) => client.get(nodes, { name: each.nodeName }))));
  try {
    await awaitNode();
  } catch (error) {
    transport.close();
    await embedded[Symbol.asyncDispose]();
    throw error;
  }
  const kubectlPath = kubectl?.path ?? "kubectl";
  return {
    ...clusterOf({ kubeconfigPath, kubectlPath, kubeletFolder, client, nodeName, namespace: "default" }),
    nodes: embedded.nodes,
    killNode: () => embedded.kill(),
    async startNode() {
      embedded.start();
      await awaitNode();
    },
    async [Symbol.asyncDispose]() {
      transport.close();
      await embedded[Symbol.asyncDispose]();
    },
  };
}
