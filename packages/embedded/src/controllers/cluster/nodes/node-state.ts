import { createController } from "@stowage/kube";
import { nodes } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import { desiredNoScheduleTaints, missingOlderLabels } from "./node-taints.ts";
import { writeTaints } from "./node-writes.ts";

/**
 * Keeps Pods from being sent to nodes that are not fit for them.
 *
 * Watches Nodes. Writes their taints of effect NoSchedule by their conditions and `unschedulable`, and the older names of the labels for
 * operating system and architecture. A part of `node-lifecycle-controller`.
 */
export function createNodeState(deps: ControllerDeps): ControllerPart {
  const { client, clock } = deps;
  const copies = deps.informers.informer(nodes);
  const controller = createController(deps, {
    name: "node_lifecycle_controller",
    workers: 8,
    backoff: queueBackoff,
    sync: retryOnConflict(async (name) => {
      const node = copies.objects.getByKey(name);
      if (node === undefined) return;
      const taints = desiredNoScheduleTaints(node, clock.nowMs());
      // The labels are set with the news of the node's having changed.
      if (taints !== undefined) return await writeTaints(client, node, taints);
      const labels = missingOlderLabels(node);
      if (Object.keys(labels).length === 0) return;
      await client.patch(nodes, { name }, { type: "strategic", patch: { metadata: { labels } } });
    }),
  });
  controller.watch(copies);
  return { name: "node-lifecycle-controller", run: (signal) => controller.run(signal) };
}
