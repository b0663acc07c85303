import type { Informer } from "@stowage/kube";
import type { Logger, Pod, PodDisruptionBudget } from "@stowage/machinery";
import type { PodWrites } from "./pod-writes.ts";
import type { SchedulingQueue } from "./queue/scheduling-queue.ts";
import type { SchedulerEvents } from "./scheduler-events.ts";
import type { ExpectedPods } from "./snapshot/expected-pods.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";
import type { VolumeWrites } from "./volumes/volume-writes.ts";

/** What all steps of scheduling share. */
export interface Scheduling {
  readonly pods: Informer<Pod>;
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly queue: SchedulingQueue;
  readonly expected: ExpectedPods;
  readonly volumes: VolumeWrites;
  readonly writes: PodWrites;
  readonly events: SchedulerEvents;
  readonly logger: Logger;
  /** Pods that others are told to leave for just now: they are not looked at before that is done. */
  readonly preempting: Set<string>;
  snapshot(): Snapshot;
  /** Something that goes on beside the choice for the next Pod. It must not fail. */
  background(work: Promise<void>): void;
}

/** The scheduler's to place, and ready for it. */
export function isWaiting({ metadata, spec, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined || (spec?.nodeName ?? "") !== "") return false;
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return false;
  return spec?.schedulerName === "default-scheduler" && (spec.schedulingGates ?? []).length === 0;
}

export interface PodRefusal {
  readonly message: string;
  readonly reason?: string;
  /** What it is promised from now on; left out: as before. */
  readonly nominatedNodeName?: string | undefined;
}

/** Tells the Pod why it has no node. */
export function refuse(s: Scheduling, pod: Pod, refusal: PodRefusal): void {
  const { message, reason = "Unschedulable", nominatedNodeName } = refusal;
  s.events.tell(pod, { type: "Warning", reason: "FailedScheduling", action: "Scheduling", message });
  const condition = { type: "PodScheduled", status: "False", reason, message } as const;
  const written = s.writes.status(pod, { condition, nominatedNodeName }).then(() => {});
  s.background(written.catch((error: unknown) => s.logger.warn({ error }, "a Pod's condition could not be written")));
}
