import { createController, objectKey } from "@stowage/kube";
import { type Node, nodes, type Pod, pods, type Taint } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, canonicalText, queueBackoff } from "../../kit/index.ts";
import { Evictions } from "./evictions.ts";
import { podsByNode } from "./pods-by-node.ts";

/**
 * Deletes Pods from nodes whose taints of effect NoExecute they do not tolerate, or no longer.
 *
 * Watches Nodes and Pods. Deletes Pods, after having written the condition `DisruptionTarget`; tells by events on the Pod that it does,
 * and that it will not after all.
 */
export function createTaintEviction(deps: ControllerDeps): ControllerPart {
  const { informers } = deps;
  const [podCopies, nodeCopies] = [informers.informer(pods), informers.informer(nodes)];
  podCopies.addIndex(podsByNode.name, podsByNode.valuesOf);
  const evictions = new Evictions(deps, deps.recorder("taint-eviction-controller"));
  const controller = createController(deps, {
    name: "noexec_taint_pod",
    workers: 8,
    backoff: queueBackoff,
    async sync(key) {
      const pod = podCopies.objects.getByKey(key);
      const node = pod && nodeCopies.objects.getByKey(pod.spec?.nodeName ?? "");
      return await evictions.sync(key, pod, node && noExecuteTaints(node));
    },
  });
  const tolerance = ({ spec }: Pod) => canonicalText([spec?.nodeName ?? "", spec?.tolerations ?? []]);
  controller.watch(podCopies, (pod) => [objectKey(pod)], {
    isNews: (pod, before) => tolerance(pod) !== tolerance(before),
  });
  const podsOn = ({ metadata }: Node) => podCopies.objects.byIndex(podsByNode.name, metadata.name ?? "").map(objectKey);
  const taints = (node: Node) => canonicalText(noExecuteTaints(node));
  controller.watch(nodeCopies, podsOn, { isNews: (node, before) => taints(node) !== taints(before) });
  return { name: "taint-eviction-controller", run: (signal) => controller.run(signal) };
}

function noExecuteTaints({ spec }: Node): Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}
