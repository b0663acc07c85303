import { setTimeout as sleep } from "node:timers/promises";
import { isConflict, isNotFound, type KubeClient } from "@stowage/kube";
import { formatTime, isConditionTrue, type Pod, type PodStatus, pods } from "@stowage/machinery";

const STEP_MS = 100;

/** What kubelet says of a Pod whose containers all run and are ready. */
export function readyPodStatus({ spec }: Pod, nowMs: number): PodStatus {
  const time = formatTime(nowMs);
  const types = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  return {
    phase: "Running",
    startTime: time,
    conditions: types.map((type) => ({ type, status: "True", lastTransitionTime: time })),
    containerStatuses: (spec?.containers ?? []).map(({ name, image = "" }) => ({
      name,
      image,
      imageID: `sha256:${"0".repeat(64)}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: time } },
    })),
  };
}

/** Runs what is to run, and lets go what is being deleted, as if every Pod were on a node with a kubelet. */
export async function followPods(client: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { items } = await client.list(pods, { namespace });
    await Promise.all(items.map((pod) => followPod(client, pod).catch(ignoreIfChanged)));
    await sleep(STEP_MS);
  }
}

async function followPod(client: KubeClient, pod: Pod): Promise<void> {
  const { name = "", namespace, deletionTimestamp, resourceVersion, uid } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    if ((pod.metadata.finalizers ?? []).length > 0) return;
    await client.delete(pods, { name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } });
  } else if (pod.status?.phase === "Pending" && !isConditionTrue(pod.status.conditions, "Ready")) {
    const patch = { metadata: { resourceVersion }, status: readyPodStatus(pod, Date.now()) };
    await client.patch(pods, { name, namespace }, { type: "merge", patch }, { subresource: "status" });
  }
}

/** It is looked at again in a moment. */
function ignoreIfChanged(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
