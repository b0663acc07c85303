import type { DaemonSet, Node, Pod } from "@stowage/machinery";
import { isPodAvailable, isPodFinished, isPodReady, scaledValue } from "../../kit/index.ts";
import { HASH_LABEL, isUpdated, nodeFit, nodeOf } from "./daemon-pod.ts";

/** What there is, and by when it is looked at. */
export interface DaemonFacts {
  readonly set: DaemonSet;
  /** Of the template that is wanted now. */
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  readonly nowMs: number;
}

export interface DaemonPlan {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

/** Those that have ended and are being deleted are somebody else's affair. */
export function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const kept = pods.filter((pod) => !isPodFinished(pod) || pod.metadata.deletionTimestamp === undefined);
  const found = new Map<string, Pod[]>();
  for (const pod of kept) {
    const node = nodeOf(pod);
    if (node !== undefined) found.set(node, [...(found.get(node) ?? []), pod]);
  }
  return found;
}

/** Those on a node first, then the oldest. */
export function byAge(a: Pod, b: Pod): number {
  const byNode = Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName));
  const [aTime = "", bTime = ""] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  const byTime = aTime === bTime ? 0 : aTime < bTime ? -1 : 1;
  return byNode || byTime || ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1);
}

export function surgeOf({ spec }: DaemonSet, wanted: number): number {
  if (spec?.updateStrategy?.type !== "RollingUpdate") return 0;
  return scaledValue(spec.updateStrategy.rollingUpdate?.maxSurge, wanted, true);
}

/** One Pod on each node that is meant, none on others. `isHeldBack` tells of failed Pods whose time to be replaced has not come. */
export function placementPlan(facts: DaemonFacts, isHeldBack: (pod: Pod, node: string) => boolean): DaemonPlan {
  const create: string[] = [];
  const gone: Pod[] = [];
  for (const node of facts.nodes) {
    const { name = "" } = node.metadata;
    const pods = facts.podsByNode.get(name);
    const { shouldRun, mayStay } = nodeFit(facts.set, node);
    if (shouldRun && pods === undefined) create.push(name);
    else if (mayStay) {
      const living = (pods ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const ended = living.filter(isPodFinished);
      const running = living.filter((pod) => !isPodFinished(pod));
      gone.push(...ended.filter((pod) => !isHeldBack(pod, name)), ...surplusPods(facts, running));
      if (surgeOf(facts.set, 1) > 0 && running.length === 0 && shouldRun) create.push(name);
    } else gone.push(...(pods ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined));
  }
  return { create, delete: [...gone, ...podsWithoutNode(facts)] };
}

function surplusPods({ set, hash, nowMs }: DaemonFacts, running: readonly Pod[]): Pod[] {
  const sorted = running.toSorted(byAge);
  if (surgeOf(set, 1) === 0) return sorted.slice(1);
  if (sorted.length <= 1) return [];
  const isNew = ({ metadata }: Pod) => metadata.labels?.[HASH_LABEL] === hash;
  const fresh = sorted.find(isNew);
  const old = sorted.find((pod) => !isNew(pod));
  const surplus = sorted.filter((pod) => pod !== fresh && pod !== old);
  if (fresh === undefined || old === undefined) return surplus;
  const isReplaced = !isPodReady(old) || isPodAvailable(fresh, set.spec?.minReadySeconds ?? 0, nowMs);
  return isReplaced ? [...surplus, old] : surplus;
}

/** Nobody else deletes what was never bound and cannot be any more. */
function podsWithoutNode({ nodes, podsByNode: pods }: DaemonFacts): Pod[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name ?? ""));
  const lost = [...pods].filter(([node]) => !names.has(node)).flatMap(([, each]) => each);
  return lost.filter(({ spec }) => !spec?.nodeName);
}

/** What of a node's Pods has the wanted template, and what has another; undefined when there is more than one of a kind. */
export function pairOf(facts: DaemonFacts, pods: readonly Pod[]): { fresh?: Pod; old?: Pod } | undefined {
  const living = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [fresh, ...moreFresh] = living.filter((pod) => isUpdated(pod, facts.set, facts.hash));
  const [old, ...moreOld] = living.filter((pod) => !isUpdated(pod, facts.set, facts.hash));
  if (moreFresh.length + moreOld.length > 0) return undefined;
  return { ...(fresh && { fresh }), ...(old && { old }) };
}
