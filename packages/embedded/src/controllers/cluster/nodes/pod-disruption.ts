import type { KubeClient } from "@stowage/kube";
import { formatTime, type Pod, type PodCondition, pods } from "@stowage/machinery";

/** Why a Pod goes that nobody asked to go, as its last word. */
export function disruption({ metadata }: Pod, reason: string, message: string, nowMs: number): PodCondition {
  const { generation } = metadata;
  const lastTransitionTime = formatTime(nowMs);
  const type = "DisruptionTarget";
  return { type, status: "True", reason, message, lastTransitionTime, observedGeneration: generation };
}

/** Changes what is given of the status, provided that it is still the same Pod. */
export async function patchPodStatus(
  client: Pick<KubeClient, "patch">,
  pod: Pod,
  status: Pod["status"],
): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  const patch = { metadata: { uid }, status };
  await client.patch(pods, { namespace, name }, { type: "strategic", patch }, { subresource: "status" });
}
