import { findCondition, type Node, type Pod, type Taint } from "@stowage/machinery";
import type { CauseCode } from "../causes.ts";
import type { Facts } from "../facts.ts";
import { type Evidence, type Finding, field, inNamespace, told } from "../finding.ts";
import { describe } from "../mending.ts";
import { nodesMeantFor } from "./node-labels.ts";

/** Why some nodes were refused, as the scheduler says it. */
export interface NodeRefusal {
  readonly nodes: number;
  readonly reason: string;
}

interface Ground {
  readonly pattern: RegExp;
  readonly cause: CauseCode;
  readonly says: string;
  /** Of the nodes that the Pod could go to, those of which it is true; all when left out. */
  isTrueOf?(node: Node): boolean;
  /** What shows it of such a node. */
  shows?(node: Node): Evidence;
  /** With the nodes of which it is true. */
  mend(pod: Pod, nodes: readonly Node[]): readonly string[];
}

/** Nodes of which something is shown. */
const SHOWN = 5;

const showNodes = "kubectl describe nodes | grep -A8 'Allocated resources'";

/**
 * The scheduler's words, those that are about volumes first: on most clusters some node has a taint or is not meant for the Pod, which
 * is said along with what matters.
 */
const grounds: readonly Ground[] = [
  {
    pattern: /^node\(s\) (?:didn't match PersistentVolume's node affinity|had volume node affinity conflict)/u,
    cause: "VOLUME_NODE_AFFINITY_CONFLICT",
    says: "the Pod's volume can be reached only from nodes that the Pod cannot go to",
    mend: (pod) => ["kubectl get pv -o custom-columns=NAME:.metadata.name,AFFINITY:.spec.nodeAffinity", describe(pod)],
  },
  {
    pattern: /^node\(s\) did not have enough free storage/u,
    cause: "CAPACITY_TOO_SMALL",
    says: "no node that the Pod could go to has room for its volume",
    mend: () => ["kubectl get csistoragecapacities -A"],
  },
  {
    pattern: /^node\(s\) didn't find available persistent volumes to bind/u,
    cause: "VOLUME_NONE_ON_NODES",
    says: "no free volume that fits the Pod's claim can be used on a node that the Pod could go to",
    mend: (pod) => ["kubectl get pv", `kubectl get pvc${inNamespace(pod.metadata)}`],
  },
  {
    pattern: /ReadWriteOncePod access mode already in-use/u,
    cause: "VOLUME_IN_USE_BY_ONE_POD",
    says: "its claim is for one Pod at a time (ReadWriteOncePod), and another has it",
    mend: (pod) => [
      `kubectl get pods${inNamespace(pod.metadata)} -o wide`,
      `kubectl delete pod OTHER${inNamespace(pod.metadata)}`,
    ],
  },
  {
    pattern: /^node\(s\) exceed max volume count/u,
    cause: "ATTACH_LIMIT_REACHED",
    says: "the nodes already have as many volumes of the driver as they can take",
    mend: () => ["kubectl get csinodes -o yaml | grep -B6 'count:'", "kubectl get volumeattachments"],
  },
  {
    pattern: /^(?:Insufficient |Too many pods)/u,
    cause: "POD_TOO_LARGE",
    says: "no node has so much left of what the Pod asks for",
    mend: (pod) => [showNodes, describe(pod)],
  },
  {
    pattern: /^node\(s\) were unschedulable/u,
    cause: "NODE_CORDONED",
    says: "the nodes that it could go to are cordoned",
    isTrueOf: ({ spec }) => spec?.unschedulable === true,
    shows: (node) => field(node, "spec.unschedulable", "true"),
    mend: (_, nodes) => nodes.map(({ metadata }) => `kubectl uncordon ${metadata.name}`),
  },
  {
    pattern: /^node\(s\) had untolerated taint/u,
    cause: "NODE_TAINTED",
    says: "the nodes have taints that the Pod does not tolerate",
    isTrueOf: ({ spec }) => (spec?.taints ?? []).length > 0,
    shows: (node) => field(node, "spec.taints", (node.spec?.taints ?? []).map(taintText).join(", ")),
    mend: (pod, nodes) => [
      ...nodes.slice(0, SHOWN).map(({ metadata }) => `kubectl taint node ${metadata.name} KEY-`),
      `kubectl edit pod ${pod.metadata.name}${inNamespace(pod.metadata)}`,
    ],
  },
  {
    pattern: /^node\(s\) didn't match Pod's node affinity/u,
    cause: "POD_AFFINITY_WITHOUT_NODE",
    says: "no node has the labels that the Pod asks for",
    mend: (pod) => ["kubectl get nodes --show-labels", `kubectl label node NODE ${wantedLabels(pod)}`],
  },
];

const NO_NODES: Ground = {
  pattern: /^no nodes/u,
  cause: "CLUSTER_WITHOUT_NODES",
  says: "there are no nodes",
  mend: () => ["kubectl get nodes"],
};

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: …` in parts. */
export function nodeRefusals(message: string): readonly NodeRefusal[] {
  const [, parts = ""] =
    /^0\/\d+ nodes are available: ([^]*?)\.?(?:\s+(?:preemption|no new claims)[^]*)?$/u.exec(message) ?? [];
  return parts.split(/[,.] (?=\d+ )/u).flatMap((part) => {
    const [, count, reason] = /^(\d+) ([^]+)$/u.exec(part.trim()) ?? [];
    return count === undefined || reason === undefined ? [] : [{ nodes: Number(count), reason }];
  });
}

/** What keeps a Pod from getting a node, the most telling first; nothing for one that has a node. */
export async function schedulingOf(pod: Pod, facts: Facts): Promise<readonly Finding[]> {
  const condition = findCondition(pod.status?.conditions, "PodScheduled");
  if (pod.spec?.nodeName || condition?.status !== "False") return [];
  const gates = (pod.spec?.schedulingGates ?? []).map(({ name }) => name);
  if (gates.length > 0) return [gated(pod, gates)];
  const message = condition.message ?? "";
  const event = (await facts.eventsOf(pod)).findLast(({ reason }) => reason === "FailedScheduling");
  const evidence = [
    field(pod, "status.conditions[PodScheduled]", message),
    ...(event === undefined || event.message === message ? [] : [told(event)]),
  ];
  const isEmpty = /no nodes available/u.test(message) || message.startsWith("0/0 nodes");
  const meant = await nodesMeantFor(pod, facts);
  const found = isEmpty ? [NO_NODES] : groundsIn(message, meant);
  return found.map(({ cause, says, shows, isTrueOf = () => true, mend }) => {
    const concerned = meant.filter(isTrueOf);
    return {
      cause,
      says: `Pod ${pod.metadata.namespace}/${pod.metadata.name} has no node: ${says}.`,
      evidence: shows === undefined ? evidence : [...evidence, ...concerned.slice(0, SHOWN).map(shows)],
      mend: mend(pod, concerned),
    };
  });
}

/** Where no node is meant for the Pod, what else the nodes have against it does not matter, though that may be all that is said. */
function groundsIn(message: string, meant: readonly Node[]): readonly Ground[] {
  const reasons = nodeRefusals(message).map(({ reason }) => reason);
  if (meant.length === 0) return grounds.filter(({ cause }) => cause === "POD_AFFINITY_WITHOUT_NODE");
  return grounds.filter(
    ({ pattern, isTrueOf = () => true }) => reasons.some((reason) => pattern.test(reason)) && meant.some(isTrueOf),
  );
}

function wantedLabels({ spec }: Pod): string {
  return (
    Object.entries(spec?.nodeSelector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(" ") || "KEY=VALUE"
  );
}

function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined ? "" : `=${value}`}:${effect}`;
}

function gated(pod: Pod, gates: readonly string[]): Finding {
  return {
    cause: "POD_GATED",
    says: `Pod ${pod.metadata.namespace}/${pod.metadata.name} is not to be scheduled yet: it has the gates ${gates.join(", ")}.`,
    evidence: [field(pod, "spec.schedulingGates", gates)],
    mend: [
      `kubectl patch pod ${pod.metadata.name}${inNamespace(pod.metadata)} --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`,
    ],
  };
}
