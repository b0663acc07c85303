import { createController } from "@stowage/kube";
import {
  csiDrivers,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import { podsByClaim } from "../pod-volumes.ts";
import { ActualAttachments } from "./actual-attachments.ts";
import { AttachmentNews } from "./attachment-news.ts";
import { DesiredAttachments } from "./desired-attachments.ts";
import { createNodeReport } from "./node-report.ts";
import { followObjects, recallAttachments, type Surroundings } from "./surroundings.ts";
import { VolumeOperations } from "./volume-operations.ts";
import { syncAttachments, type VolumeSync } from "./volume-sync.ts";

/**
 * Has volumes attached to the nodes whose Pods need them, and detached from those whose Pods do not.
 *
 * Watches Pods, Nodes, PersistentVolumeClaims, PersistentVolumes, CSIDrivers and VolumeAttachments. Owns the VolumeAttachments: creates
 * one for each volume and node, and deletes it when no Pod on the node needs the volume and the node has unmounted it. Writes
 * `volumesAttached` of Nodes. Tells Pods by events. Only Nodes that ask for it by an annotation are dealt with.
 */
export function createAttachDetach(deps: ControllerDeps): ControllerPart {
  const { client, informers, clock, logger } = deps;
  const around: Surroundings = {
    pods: informers.informer(pods),
    nodes: informers.informer(nodes),
    claims: informers.informer(persistentVolumeClaims),
    volumes: informers.informer(persistentVolumes),
    drivers: informers.informer(csiDrivers),
    attachments: informers.informer(volumeAttachments),
  };
  around.pods.addIndex(podsByClaim.name, podsByClaim.valuesOf);
  const actual = new ActualAttachments((nodeName) => nodeQueue.queue.add(nodeName));
  const desired = new DesiredAttachments();
  const operations = new VolumeOperations(clock);
  const report = createNodeReport({ client, nodes: around.nodes.objects, actual });
  const volumeQueue = createController(deps, {
    name: "attachdetach-volumes",
    workers: 10,
    backoff: queueBackoff,
    sync: (name, { signal }) => syncAttachments(sync, name, signal),
  });
  const nodeQueue = createController(deps, {
    name: "attachdetach-nodes",
    workers: 10,
    backoff: queueBackoff,
    sync: retryOnConflict(report),
  });
  const sync: VolumeSync = {
    client,
    events: deps.recorder("attachdetach-controller"),
    actual,
    desired,
    operations,
    news: new AttachmentNews(around.attachments, clock),
    nodes: around.nodes.objects,
    clock,
    logger,
    report,
    again: (name, afterMs = 0) =>
      afterMs > 0 ? volumeQueue.queue.addAfter(name, afterMs) : volumeQueue.queue.add(name),
  };
  return {
    name: "persistentvolume-attach-detach-controller",
    async run(signal) {
      recallAttachments(sync, around);
      const following = followObjects(sync, around);
      await Promise.all([volumeQueue.run(signal), nodeQueue.run(signal)]);
      for (const each of following) each.remove();
      await operations.drained();
    },
  };
}
