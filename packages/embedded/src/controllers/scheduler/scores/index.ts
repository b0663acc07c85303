import type { Pod } from "@stowage/machinery";
import type { NodeState } from "../snapshot/node-state.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { podAffinityScore } from "./affinity-score.ts";
import { affinityScore, taintScore } from "./node-scores.ts";
import { balancedAllocation, leastAllocated } from "./resource-scores.ts";
import type { Score } from "./score.ts";
import { spreadScore } from "./spread-score.ts";

/** Those of kube-scheduler's default profile, but for where images are: there are none to be pulled. */
const allScores: readonly Score[] = [
  taintScore,
  affinityScore,
  leastAllocated,
  spreadScore,
  podAffinityScore,
  balancedAllocation,
];

/** The node that is best for the Pod; of equally good ones the first. */
export function bestNode(pod: Pod, nodes: readonly NodeState[], snapshot: Snapshot): NodeState | undefined {
  if (nodes.length < 2) return nodes[0];
  const sums = nodes.map(() => 0);
  for (const { weight, rate } of allScores) {
    for (const [index, value] of (rate(pod, nodes, snapshot) ?? []).entries()) {
      sums[index] = (sums[index] ?? 0) + value * weight;
    }
  }
  return nodes[sums.indexOf(Math.max(...sums))];
}
