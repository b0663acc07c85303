import type { ControllerDeps, ControllerPart } from "../kit/index.ts";
import { followCluster } from "./cluster-news.ts";
import { clusterView, takeSnapshot } from "./cluster-view.ts";
import { PodWrites } from "./pod-writes.ts";
import { SchedulingQueue } from "./queue/scheduling-queue.ts";
import { SchedulerEvents } from "./scheduler-events.ts";
import type { Scheduling } from "./scheduling.ts";
import { runScheduling } from "./scheduling-cycle.ts";
import { ExpectedPods } from "./snapshot/expected-pods.ts";
import { AssumedObjects } from "./volumes/assumed-objects.ts";
import { createChangeBell } from "./volumes/change-bell.ts";

/**
 * Finds a node for each Pod that has none, and brings it there.
 *
 * Watches Pods, Nodes, Namespaces, PodDisruptionBudgets, and all that volumes hang on: PersistentVolumeClaims, PersistentVolumes,
 * StorageClasses, CSIDrivers, CSINodes, CSIStorageCapacities and VolumeAttachments. Owns nothing. Binds Pods to Nodes, writes the
 * conditions `PodScheduled` and `DisruptionTarget` and `nominatedNodeName` of Pods, reserves PersistentVolumes for claims that waited
 * for a node, or has one provisioned by naming the node on the claim. Deletes Pods that have to make room for more important ones.
 */
export function createScheduler(deps: ControllerDeps): ControllerPart {
  const { schedulerClient: client = deps.client, clock, logger } = deps;
  const view = clusterView(deps.informers);
  const assumed = {
    pods: new ExpectedPods(),
    claims: new AssumedObjects(view.claims),
    volumes: new AssumedObjects(view.volumes),
  };
  const bell = createChangeBell([view.claims, view.volumes], clock);
  const written = {
    claim: (key: string) => view.claims.objects.getByKey(key),
    volume: (name: string) => view.volumes.objects.getByKey(name),
  };
  const underWay = new Set<Promise<void>>();
  let turn = 0;
  const scheduling: Scheduling = {
    pods: view.pods,
    budgets: view.budgets,
    queue: new SchedulingQueue(clock),
    expected: assumed.pods,
    volumes: { client, clock, claims: assumed.claims, volumes: assumed.volumes, written, nextChange: bell.nextChange },
    writes: new PodWrites({ client, clock }),
    events: new SchedulerEvents({ client, clock, logger }),
    logger,
    preempting: new Set(),
    snapshot: () => takeSnapshot(view, assumed, turn++),
    background(work) {
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
  };
  return {
    name: "kube-scheduler",
    async run(signal) {
      const following = [...followCluster(scheduling, view), ...bell.listen()];
      await runScheduling(scheduling, signal);
      for (const each of following) each.remove();
      await Promise.all(underWay);
      await scheduling.events.drained();
    },
  };
}
