import { type Labels, type Node, type NodeSelectorRequirement, nodes, type Pod } from "@stowage/machinery";
import type { Facts } from "../facts.ts";

/** The nodes that have the labels which the Pod asks for. */
export async function nodesMeantFor({ spec }: Pod, facts: Facts): Promise<readonly Node[]> {
  const { nodeSelector = {}, affinity } = spec ?? {};
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const isSelected = (labels: Labels) => Object.entries(nodeSelector).every(([key, value]) => labels[key] === value);
  const isLiked = (labels: Labels) =>
    terms.length === 0 ||
    terms.some(({ matchExpressions = [] }) => matchExpressions.every((each) => isTermMet(each, labels)));
  return (await facts.list(nodes)).filter(({ metadata: { labels = {} } }) => isSelected(labels) && isLiked(labels));
}

/** Operators that compare numbers count as met: better one cause too many than one too few. */
function isTermMet({ key, operator, values = [] }: NodeSelectorRequirement, labels: Labels): boolean {
  const value = labels[key];
  if (operator === "In") return value !== undefined && values.includes(value);
  if (operator === "NotIn") return value === undefined || !values.includes(value);
  if (operator === "Exists") return value !== undefined;
  return operator === "DoesNotExist" ? value === undefined : true;
}
