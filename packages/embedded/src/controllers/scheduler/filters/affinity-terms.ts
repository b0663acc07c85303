import { type Labels, labelMatcherFrom, type Pod, type PodAffinityTerm } from "@stowage/machinery";

/** A term of a Pod, ready to be held against others. */
export interface AffinityTerm {
  readonly topologyKey: string;
  isMeant(pod: Pod): boolean;
}

export type NamespaceLabels = (name: string) => Labels;

/** The namespaces that are named or selected; the Pod's own when neither says anything. */
function affinityTerm(owner: Pod, term: PodAffinityTerm, labelsOf: NamespaceLabels): AffinityTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term;
  const own = owner.metadata.namespace ?? "";
  const named = new Set(namespaces.length === 0 && namespaceSelector === undefined ? [own] : namespaces);
  const selected = labelMatcherFrom(namespaceSelector);
  const matcher = labelMatcherFrom(labelSelector);
  return {
    topologyKey,
    isMeant({ metadata }) {
      const { namespace = "", labels } = metadata;
      const isHere = named.has(namespace) || (namespaceSelector !== undefined && selected.matches(labelsOf(namespace)));
      return isHere && matcher.matches(labels);
    },
  };
}

export function requiredNear(pod: Pod, labelsOf: NamespaceLabels): AffinityTerm[] {
  const terms = pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => affinityTerm(pod, term, labelsOf));
}

export function requiredApart(pod: Pod, labelsOf: NamespaceLabels): AffinityTerm[] {
  const terms = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => affinityTerm(pod, term, labelsOf));
}

export interface WeightedTerm extends AffinityTerm {
  /** Less than nothing: it wants to be apart. */
  readonly weight: number;
}

export function preferredTerms(pod: Pod, labelsOf: NamespaceLabels): WeightedTerm[] {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const near = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const apart = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...near.map(({ weight, podAffinityTerm }) => ({ ...affinityTerm(pod, podAffinityTerm, labelsOf), weight })),
    ...apart.map(({ weight, podAffinityTerm }) => ({
      ...affinityTerm(pod, podAffinityTerm, labelsOf),
      weight: -weight,
    })),
  ];
}
