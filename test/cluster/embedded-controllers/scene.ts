import { isNotFound, type KubeClient } from "@stowage/kube";
import { type Pod, pods } from "@stowage/machinery";
import type { Cluster } from "../embedded-scenarios/clusters.ts";
import { type OpenScene as AnyOpenScene, openScene as openAnyScene } from "../embedded-scenarios/scene.ts";
import { followPods, readyPodStatus } from "./kubelet.ts";
import type { Scene } from "./scenario.ts";

type OpenScene = AnyOpenScene & Scene;

export async function openScene(cluster: Cluster, name: string): Promise<OpenScene> {
  const { client } = cluster;
  const scene = await openAnyScene(cluster, name);
  const kubelet = new AbortController();
  const work: Promise<void>[] = [];
  return {
    ...scene,
    // It grows, and so must not be copied.
    get made() {
      return scene.made;
    },
    runPod: (pod) => runPod(client, pod),
    startKubelet() {
      const following = followPods(client, scene.namespace, kubelet.signal);
      // What goes wrong with it is told when the scene is closed.
      following.catch(() => {});
      work.push(following);
    },
    async [Symbol.asyncDispose]() {
      kubelet.abort();
      await Promise.all(work);
      await scene[Symbol.asyncDispose]();
    },
  };
}

async function runPod(client: KubeClient, pod: Pod): Promise<void> {
  const { name = "", namespace } = pod.metadata;
  const patch = { type: "merge", patch: { status: readyPodStatus(pod, Date.now()) } } as const;
  await client.patch(pods, { name, namespace }, patch, { subresource: "status" }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
