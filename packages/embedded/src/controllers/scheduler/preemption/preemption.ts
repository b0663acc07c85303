import { findCondition, type Pod } from "@stowage/machinery";
import { priorityOf } from "../placement.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { type Unfit, unfitMessage } from "../unfit.ts";
import { type Candidate, type PreemptionWorld, startedMs, victimsOn } from "./victims.ts";

/** Who has to go for the Pod, or why nobody can, in the words of kube-scheduler. */
export type Preemption = { readonly chosen: Candidate } | { readonly message: string; readonly isOver: boolean };

/** `isOver`: whatever the Pod was promised before counts no more. */
export function preemption(pod: Pod, unfit: Unfit, world: PreemptionWorld): Preemption {
  // The filter that is asked first of all about what it knows of the Pod has not seen it then.
  if (unfit.refusal !== undefined) return { message: "not found", isOver: false };
  const ineligible = ineligibility(pod, unfit, world.snapshot.nodes);
  if (ineligible !== undefined) return { message: told(ineligible), isOver: false };
  const promising = world.snapshot.nodes.filter(({ name }) => unfit.refusals.get(name)?.isFinal === false);
  const answers = promising.map((state) => [state.name, victimsOn(state, pod, world)] as const);
  const candidates = answers.map(([, answer]) => answer).filter((answer) => "victims" in answer);
  const chosen = bestCandidate(candidates);
  if (chosen !== undefined) return { chosen };
  const refusals = new Map(answers.flatMap(([name, answer]) => ("victims" in answer ? [] : [[name, answer]])));
  const others = "Preemption is not helpful for scheduling";
  return { message: told(unfitMessage({ nodeCount: unfit.nodeCount, refusals, others })), isOver: true };
}

/** There are no ResourceClaims here that could be taken from anybody; kube-scheduler says so first. */
function told(message: string): string {
  return `no new claims to deallocate, preemption: ${message}`;
}

function ineligibility(pod: Pod, unfit: Unfit, nodes: readonly NodeState[]): string | undefined {
  if (pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const { nominatedNodeName = "" } = pod.status ?? {};
  if (nominatedNodeName === "" || unfit.refusals.get(nominatedNodeName)?.isFinal === true) return undefined;
  const there = nodes.find(({ name }) => name === nominatedNodeName)?.pods ?? [];
  const isAwaited = there.some((other) => priorityOf(other) < priorityOf(pod) && isLeavingForAnother(other));
  return isAwaited ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

function isLeavingForAnother({ metadata, status }: Pod): boolean {
  const target = findCondition(status?.conditions, "DisruptionTarget");
  const isTarget = target?.status === "True" && target.reason === "PreemptionByScheduler";
  return metadata.deletionTimestamp !== undefined && isTarget;
}

/** Each is asked only about those that the ones before it leave alike; the lowest is the best. */
const preferences: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims: [first] }) => (first === undefined ? 0 : priorityOf(first)),
  // As much is added to each as makes all of them count: few with a low priority are better than many.
  ({ victims }) => victims.reduce((sum, victim) => sum + priorityOf(victim) + 2 ** 31, 0),
  ({ victims }) => victims.length,
  ({ victims }) => -earliestStartMs(victims),
];

function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const compare = (a: Candidate, b: Candidate) =>
    preferences.map((valueOf) => valueOf(a) - valueOf(b)).find((difference) => difference !== 0) ?? 0;
  return candidates.toSorted(compare)[0];
}

/** Of those that matter most. */
function earliestStartMs(victims: readonly Pod[]): number {
  const most = Math.max(...victims.map(priorityOf));
  return Math.min(...victims.filter((victim) => priorityOf(victim) === most).map(startedMs));
}
