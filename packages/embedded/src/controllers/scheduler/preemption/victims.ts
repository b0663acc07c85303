import { labelMatcherFrom, type Pod, type PodDisruptionBudget, parseTime } from "@stowage/machinery";
import type { Refusal } from "../filters/index.ts";
import { priorityOf, refusalOn, type World } from "../placement.ts";
import { type NodeState, withoutPods } from "../snapshot/node-state.ts";
import { withNode } from "../snapshot/snapshot.ts";

export interface Candidate {
  readonly nodeName: string;
  /** From the one that matters most. */
  readonly victims: readonly Pod[];
  /** How many of them a budget would keep. */
  readonly violations: number;
}

export interface PreemptionWorld extends World {
  readonly budgets: readonly PodDisruptionBudget[];
}

/**
 * Who has to leave the node for the Pod: all that matter less are taken away, and then as many as possible let back in, first those that
 * a budget protects, and of these the most important first.
 */
export function victimsOn(state: NodeState, pod: Pod, world: PreemptionWorld): Candidate | Refusal {
  const lesser = state.pods.filter((other) => priorityOf(other) < priorityOf(pod)).toSorted(byImportance);
  if (lesser.length === 0) {
    const reasons = ["No preemption victims found for incoming pod"];
    return { filter: "DefaultPreemption", reasons, isFinal: true };
  }
  const gone = new Set(lesser);
  const refusal = () => {
    const rest = withoutPods(state, gone);
    return refusalOn(rest, pod, { ...world, snapshot: withNode(world.snapshot, rest) });
  };
  const found = refusal();
  if (found !== undefined) return found;
  const guarded = guardedPods(lesser, world.budgets);
  for (const each of [...lesser.filter((other) => guarded.has(other)), ...lesser]) {
    if (!gone.delete(each)) continue;
    if (refusal() !== undefined) gone.add(each);
  }
  const victims = lesser.filter((other) => gone.has(other));
  return { nodeName: state.name, victims, violations: victims.filter((other) => guarded.has(other)).length };
}

/** The higher priority, then the longer on its node. */
function byImportance(a: Pod, b: Pod): number {
  return priorityOf(b) - priorityOf(a) || startedMs(a) - startedMs(b);
}

/** One that has not been started yet is the newest. */
export function startedMs({ status }: Pod): number {
  return status?.startTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(status.startTime);
}

/** Those whose going, after those before them, would leave a budget with less than nothing. */
function guardedPods(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): ReadonlySet<Pod> {
  const left = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const guarded = new Set<Pod>();
  for (const pod of pods) {
    for (const [index, budget] of budgets.entries()) {
      if (!isProtected(pod, budget)) continue;
      left[index] = (left[index] ?? 0) - 1;
      if ((left[index] ?? 0) < 0) guarded.add(pod);
    }
  }
  return guarded;
}

function isProtected({ metadata }: Pod, { metadata: own, spec, status }: PodDisruptionBudget): boolean {
  const { name = "", namespace, labels = {} } = metadata;
  if (own.namespace !== namespace || Object.keys(labels).length === 0) return false;
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return false;
  return status?.disruptedPods?.[name] === undefined && labelMatcherFrom(spec?.selector).matches(labels);
}
