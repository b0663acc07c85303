import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Taint, Toleration } from "@stowage/machinery";

/** Whether the Pod's node selector and required affinity mean the node. */
export function isNodeMeant(spec: Pick<PodSpec, "nodeSelector" | "affinity">, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const isSelected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return isSelected && (required === undefined || areTermsMet(required.nodeSelectorTerms, node));
}

/** One of them is enough; one that asks for nothing means no node. */
export function areTermsMet(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    const labels = node.metadata.labels ?? {};
    const areLabelsMet = matchExpressions.every((each) => isMet(each, labels[each.key]));
    return areLabelsMet && matchFields.every((each) => isMet(each, fieldOf(node, each.key)));
  });
}

/** The only field that can be asked for. */
function fieldOf({ metadata }: Node, key: string): string | undefined {
  return key === "metadata.name" ? metadata.name : undefined;
}

function isMet({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt":
      return isBeyond(operator, value, values[0]);
    default:
      return false;
  }
}

function isBeyond(operator: string, value: string | undefined, limit: string | undefined): boolean {
  const areNumbers = [value, limit].every((each) => each !== undefined && /^-?\d+$/u.test(each));
  if (!areNumbers) return false;
  const [number, bound] = [BigInt(value ?? 0), BigInt(limit ?? 0)];
  return operator === "Gt" ? number > bound : operator === "Lt" && number < bound;
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some(({ key = "", operator = "Equal", value = "", effect = "" }) => {
    if (effect !== "" && effect !== taint.effect) return false;
    if (key !== "" && key !== taint.key) return false;
    if (operator === "Exists") return true;
    return operator === "Equal" && key !== "" && value === (taint.value ?? "");
  });
}

/** The first taint of these effects that the Pod does not tolerate. */
export function untoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  return taints
    ?.filter(({ effect }) => effects.includes(effect))
    .find((taint) => !isTolerated(taint, tolerations ?? []));
}
