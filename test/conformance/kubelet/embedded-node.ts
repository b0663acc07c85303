import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import { nodes } from "@stowage/machinery";
import { startEmbeddedProcess } from "../embedded-process/embedded-process.ts";
import { clusterOf, eventually, type MortalCluster } from "./cluster.ts";

/** An embedded cluster of one node that can be killed: API server, controllers and node at once. */
export async function startEmbeddedNode(): Promise<MortalCluster> {
  const embedded = await startEmbeddedProcess();
  const { kubeconfigPath, kubeletFolder, nodeName } = embedded;
  const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
  const transport = createTransport(await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  const awaitNode = () => eventually(() => client.get(nodes, { name: nodeName }));
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
