import {
  type LabelSelector,
  labelMatcherFrom,
  type Node,
  type Pod,
  type TopologySpreadConstraint,
} from "@stowage/machinery";
import { isNodeMeant, untoleratedTaint } from "../../kit/index.ts";
import type { IsKin } from "../snapshot/kin.ts";
import type { NodeState } from "../snapshot/node-state.ts";

/** A constraint as it counts for one Pod. */
export interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  isMeant(pod: Pod): boolean;
  /** It means everybody, which is taken to be no rule at all: nobody is counted. */
  readonly isIdle: boolean;
  /** Whether Pods on the node count. */
  isNodeCounted(node: Node): boolean;
}

type Action = TopologySpreadConstraint["whenUnsatisfiable"];

export function spreadsOf(pod: Pod, action: Action): Spread[] {
  const constraints = pod.spec?.topologySpreadConstraints ?? [];
  return constraints.filter((each) => each.whenUnsatisfiable === action).map((each) => spreadOf(pod, each));
}

/** How Pods are spread that do not say it themselves: from those of their kind, as far as that goes. */
export function usualSpreads(pod: Pod, isKin: IsKin): Spread[] {
  const usual = { minDomains: 1, isMeant: isKin, isIdle: false };
  const isNodeCounted = (node: Node) => isNodeMeant(pod.spec ?? { containers: [] }, node);
  return [
    { topologyKey: "kubernetes.io/hostname", maxSkew: 3, ...usual, isNodeCounted },
    { topologyKey: "topology.kubernetes.io/zone", maxSkew: 5, ...usual, isNodeCounted },
  ];
}

function spreadOf(pod: Pod, constraint: TopologySpreadConstraint): Spread {
  const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  const selector = selectorOf(pod, constraint);
  const matcher = labelMatcherFrom(selector);
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return {
    topologyKey,
    maxSkew,
    minDomains,
    isMeant: ({ metadata }) => matcher.matches(metadata.labels),
    isIdle: Object.keys(matchLabels).length + matchExpressions.length === 0,
    isNodeCounted(node) {
      if (nodeAffinityPolicy !== "Ignore" && !isNodeMeant(pod.spec ?? { containers: [] }, node)) return false;
      if (nodeTaintsPolicy !== "Honor") return true;
      return untoleratedTaint(node.spec?.taints, pod.spec?.tolerations, ["NoSchedule", "NoExecute"]) === undefined;
    },
  };
}

/** With the values that the Pod itself has of the keys that are named. */
function selectorOf({ metadata }: Pod, constraint: TopologySpreadConstraint): LabelSelector | undefined {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  const labels = metadata.labels ?? {};
  const own = matchLabelKeys.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
  if (labelSelector === undefined) return undefined;
  return { ...labelSelector, matchLabels: { ...labelSelector.matchLabels, ...Object.fromEntries(own) } };
}

/** Those in the namespace that are meant; what is being deleted is as good as gone. */
export function countMeant({ pods }: NodeState, spread: Spread, namespace: string | undefined): number {
  if (spread.isIdle) return 0;
  return pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined && pod.metadata.namespace === namespace && spread.isMeant(pod),
  ).length;
}

export function hasAllKeys({ labels }: NodeState, spreads: readonly Spread[]): boolean {
  return spreads.every(({ topologyKey }) => labels[topologyKey] !== undefined);
}
