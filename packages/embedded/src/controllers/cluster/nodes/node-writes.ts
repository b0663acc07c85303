import { isNotFound, type KubeClient } from "@stowage/kube";
import { type Node, nodes, type Pod, pods, setCondition, type Taint } from "@stowage/machinery";

/** Writes all taints of the node, provided that nobody else has changed it. */
export async function writeTaints(client: KubeClient, node: Node, taints: Taint[] | undefined): Promise<void> {
  const { name = "", resourceVersion } = node.metadata;
  if (taints === undefined) return;
  const patch = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
  await client.patch(nodes, { name }, { type: "merge", patch });
}

/** The Pod with its readiness taken back; undefined when it is not ready, or never said. */
export function notReadyPod(pod: Pod, nowMs: number): Pod | undefined {
  const conditions = pod.status?.conditions;
  const ready = conditions?.find(({ type }) => type === "Ready");
  if (ready === undefined || ready.status === "False") return undefined;
  const status = { ...pod.status, conditions: setCondition(conditions, { ...ready, status: "False" }, nowMs) };
  return { ...pod, status };
}

/** False when it is gone. */
export async function writePodStatus(client: KubeClient, pod: Pod): Promise<boolean> {
  return await client.update(pods, pod, { subresource: "status" }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}
