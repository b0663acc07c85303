import { setImmediate as nextTurn } from "node:timers/promises";
import { objectKey } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import { errorText } from "../kit/index.ts";
import { bringToNode } from "./binding-cycle.ts";
import { placement } from "./placement.ts";
import { evictVictims } from "./preemption/eviction.ts";
import { type Preemption, preemption } from "./preemption/preemption.ts";
import { isWaiting, refuse, type Scheduling } from "./scheduling.ts";
import { filtersOf, type Unfit, unfitMessage } from "./unfit.ts";

/** Chooses for one Pod after the other until the signal is aborted. */
export async function runScheduling(s: Scheduling, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = s.queue.take();
    const pod = next && s.pods.objects.getByKey(next.key);
    if (next === undefined) await s.queue.whenReady(signal);
    else if (pod?.metadata.uid !== next.uid || !isWaiting(pod)) s.queue.remove(next.uid);
    else attempt(s, pod, signal);
    await nextTurn();
  }
}

/** What is wrong with one Pod must not keep the others from their nodes. */
function attempt(s: Scheduling, pod: Pod, signal: AbortSignal): void {
  try {
    schedule(s, pod, signal);
  } catch (error) {
    s.logger.warn({ error, pod: objectKey(pod) }, "no choice could be made for a Pod");
    s.queue.fail(pod.metadata.uid ?? "");
    refuse(s, pod, { message: errorText(error), reason: "SchedulerError", nominatedNodeName: "" });
  }
}

/** Chooses at once, so that the next choice knows of it; what has to be written goes on beside. */
function schedule(s: Scheduling, pod: Pod, signal: AbortSignal): void {
  const { uid = "" } = pod.metadata;
  const snapshot = s.snapshot();
  if (snapshot.nodes.length === 0) {
    s.queue.park(uid, new Set());
    return refuse(s, pod, { message: "no nodes available to schedule pods", nominatedNodeName: "" });
  }
  const nominatedOn = (nodeName: string) => s.expected.nominatedOn(nodeName);
  const placed = placement(pod, { snapshot, nominatedOn });
  if ("node" in placed) {
    return s.background(bringToNode(s, { pod, state: placed.node, storage: snapshot.storage }, signal));
  }
  const outcome = preemption(pod, placed.unfit, { snapshot, nominatedOn, budgets: s.budgets.objects.list() });
  s.queue.park(uid, filtersOf(placed.unfit));
  conclude(s, pod, placed.unfit, outcome);
}

function conclude(s: Scheduling, pod: Pod, unfit: Unfit, outcome: Preemption): void {
  const message = unfitMessage(unfit);
  if ("chosen" in outcome) {
    const { nodeName } = outcome.chosen;
    s.expected.nominate(pod, nodeName);
    s.background(evictVictims(s, pod, outcome.chosen));
    return refuse(s, pod, { message, nominatedNodeName: nodeName });
  }
  if (outcome.isOver) s.expected.nominate(pod, "");
  const nominatedNodeName = outcome.isOver ? "" : undefined;
  refuse(s, pod, { message: `${message} ${outcome.message}`, nominatedNodeName });
}
