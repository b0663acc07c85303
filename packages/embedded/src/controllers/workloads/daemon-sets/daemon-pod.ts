import type {
  Affinity,
  DaemonSet,
  Node,
  NodeSelectorRequirement,
  Pod,
  PodSpec,
  PodTemplateSpec,
  Toleration,
} from "@stowage/machinery";
import { isNodeMeant, untoleratedTaint } from "../../kit/index.ts";

export const HASH_LABEL = "controller-revision-hash";
const GENERATION_LABEL = "pod-template-generation";
const GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";

/** A daemon stays on a node that is in trouble: it may be there to mend it. */
function daemonTolerations({ hostNetwork }: PodSpec): Toleration[] {
  const exists = (name: string, effect: string) => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect });
  const pressures = ["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"];
  const network = hostNetwork ? ["network-unavailable"] : [];
  return [
    ...["not-ready", "unreachable"].map((name) => exists(name, "NoExecute")),
    ...[...pressures, ...network].map((name) => exists(name, "NoSchedule")),
  ] as Toleration[];
}

function withTolerations(spec: PodSpec): PodSpec {
  const own = spec.tolerations ?? [];
  const isOwn = (wanted: Toleration) =>
    own.some(({ key, effect, operator, value }) => {
      return key === wanted.key && effect === wanted.effect && operator === wanted.operator && !value;
    });
  return { ...spec, tolerations: [...own, ...daemonTolerations(spec).filter((each) => !isOwn(each))] };
}

/** The Pod's template for one node: the scheduler takes it there, and nowhere else. */
export function daemonTemplate(set: DaemonSet, hash: string, nodeName: string): PodTemplateSpec {
  const { template = {} } = set.spec ?? {};
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  const spec = withTolerations(template.spec ?? { containers: [] });
  return {
    ...template,
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation !== undefined && /^\d+$/u.test(generation) ? { [GENERATION_LABEL]: generation } : {}),
        [HASH_LABEL]: hash,
      },
    },
    spec: { ...spec, affinity: affinityTo(spec.affinity, nodeName) },
  };
}

/** In place of what was required: that the node fits is known already. */
function affinityTo(affinity: Affinity | undefined, nodeName: string): Affinity {
  const byName: NodeSelectorRequirement = { key: "metadata.name", operator: "In", values: [nodeName] };
  const required = { nodeSelectorTerms: [{ matchFields: [byName] }] };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...affinity, nodeAffinity };
}

/** Where it runs, or is meant to. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const values = fields.find(({ key, operator }) => key === "metadata.name" && operator === "In")?.values ?? [];
  return values.length === 1 ? values[0] : undefined;
}

export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  const { labels = {} } = metadata;
  return labels[HASH_LABEL] === hash || (generation !== undefined && labels[GENERATION_LABEL] === generation);
}

export interface NodeFit {
  readonly shouldRun: boolean;
  /** One that is there already may stay. */
  readonly mayStay: boolean;
}

export function nodeFit(set: DaemonSet, node: Node): NodeFit {
  const template = set.spec?.template?.spec ?? { containers: [] };
  const spec = withTolerations(template);
  const isElsewhere = Boolean(template.nodeName) && template.nodeName !== node.metadata.name;
  if (isElsewhere || !isNodeMeant(spec, node)) return { shouldRun: false, mayStay: false };
  const { taints } = node.spec ?? {};
  if (untoleratedTaint(taints, spec.tolerations, ["NoSchedule", "NoExecute"]) === undefined) {
    return { shouldRun: true, mayStay: true };
  }
  return { shouldRun: false, mayStay: untoleratedTaint(taints, spec.tolerations, ["NoExecute"]) === undefined };
}
