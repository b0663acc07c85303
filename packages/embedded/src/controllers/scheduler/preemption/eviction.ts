import type { Pod } from "@stowage/machinery";
import { priorityOf } from "../placement.ts";
import type { Scheduling } from "../scheduling.ts";
import type { Candidate } from "./victims.ts";

/** Has the victims leave, and tells them why. */
export async function evictVictims(s: Scheduling, pod: Pod, { nodeName, victims }: Candidate): Promise<void> {
  const { uid = "" } = pod.metadata;
  s.preempting.add(uid);
  const displaced = s.expected.nominatedOn(nodeName).filter((other) => priorityOf(other) < priorityOf(pod));
  const staying = victims.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const outcomes = await Promise.allSettled([
    ...displaced.map((other) => takeBackPromise(s, other)),
    ...staying.map((victim) => evict(s, pod, victim, nodeName)),
  ]);
  s.preempting.delete(uid);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) s.logger.warn({ error: failed.reason }, "a Pod could not be preempted");
  const isGone = ({ metadata }: Pod) =>
    s.pods.objects.getByKey(`${metadata.namespace}/${metadata.name}`)?.metadata.uid !== metadata.uid;
  // News of their going came while it was not to be looked at.
  if (failed !== undefined || victims.some(isGone)) s.queue.wake((waiting) => waiting.uid === uid);
}

/** What was promised to one that matters less is now another's. */
async function takeBackPromise(s: Scheduling, other: Pod): Promise<void> {
  s.expected.nominate(other, "");
  await s.writes.status(other, { nominatedNodeName: "" });
}

async function evict(s: Scheduling, pod: Pod, victim: Pod, nodeName: string): Promise<void> {
  const message = `${pod.spec?.schedulerName}: preempting to accommodate a higher priority pod`;
  const condition = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler", message } as const;
  const isThere = (await s.writes.status(victim, { condition })) && (await s.writes.delete(victim));
  if (!isThere) return;
  const told = `Preempted by pod ${pod.metadata.uid} on node ${nodeName}`;
  s.events.tell(victim, { type: "Normal", reason: "Preempted", action: "Preempting", message: told, related: pod });
}
