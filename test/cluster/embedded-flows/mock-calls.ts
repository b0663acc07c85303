import { gripOf } from "../../node/kubelet/mock-control.ts";
import type { FlowCluster } from "./flow-cluster.ts";

/** What moves a volume. */
const moving = [
  "ControllerPublishVolume",
  "ControllerUnpublishVolume",
  "NodeStageVolume",
  "NodeUnstageVolume",
  "NodePublishVolume",
  "NodeUnpublishVolume",
];

/** `NodeStageVolume node-1`: what moved a volume of the mock and to which node, oldest first, each once: it may be repeated at any time. */
export async function movesOf({ nodes }: FlowCluster, volumeId: string): Promise<string[]> {
  const recorded = await Promise.all(
    nodes.flatMap(({ nodeName, mock }) =>
      moving.map(async (method) => {
        const calls = await gripOf(mock).calls(method, volumeId);
        return calls.map(({ request, startedAt, sequence }) => {
          const { node_id: nodeId = nodeName } = request as { readonly node_id?: string };
          return { text: `${method} ${nodeId}`, startedAt, sequence };
        });
      }),
    ),
  );
  const inOrder = recorded
    .flat()
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.sequence - b.sequence)
    .map(({ text }) => text);
  return [...new Set(inOrder)];
}
