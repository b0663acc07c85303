import type { Pod } from "@stowage/machinery";
import { isPodAvailable, scaledValue } from "../../kit/index.ts";
import { nodeFit } from "./daemon-pod.ts";
import { type DaemonFacts, type DaemonPlan, pairOf, surgeOf } from "./node-pods.ts";

/** Which old Pods go now, and where new ones come beside them, without leaving more nodes bare than may be. */
export function updatePlan(facts: DaemonFacts): DaemonPlan {
  const { set, nodes, podsByNode } = facts;
  const wanted = nodes.filter((node) => nodeFit(set, node).shouldRun);
  const surge = surgeOf(set, wanted.length);
  const all = new Map([...wanted.map(({ metadata }) => [metadata.name ?? "", []] as const), ...podsByNode]);
  if (surge > 0) return surgingPlan(facts, all, { surge, wanted: wanted.length });
  const { maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  return replacingPlan(facts, all, Math.max(1, scaledValue(maxUnavailable, wanted.length, true)));
}

type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** Old Pods go first; those that do not work anyway cost nothing. */
function replacingPlan(facts: DaemonFacts, all: PodsByNode, mostUnavailable: number): DaemonPlan {
  const isAvailable = availability(facts);
  const broken: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const pods of all.values()) {
    const pair = pairOf(facts, pods);
    if (pair === undefined || (pair.fresh === undefined) === (pair.old === undefined)) unavailable++;
    else if (pair.fresh !== undefined) unavailable += isAvailable(pair.fresh) ? 0 : 1;
    else if (pair.old !== undefined && !isAvailable(pair.old)) {
      broken.push(pair.old);
      unavailable++;
    } else if (pair.old !== undefined) candidates.push(pair.old);
  }
  return { create: [], delete: [...broken, ...candidates.slice(0, Math.max(0, mostUnavailable - unavailable))] };
}

interface Limits {
  readonly surge: number;
  /** On how many nodes the Pods are to be. */
  readonly wanted: number;
}

/** New Pods come first, beside the old ones, which go when their successors are available. */
function surgingPlan(facts: DaemonFacts, all: PodsByNode, { surge, wanted }: Limits): DaemonPlan {
  const isAvailable = availability(facts);
  const runs = new Set(
    facts.nodes.filter((node) => nodeFit(facts.set, node).shouldRun).map(({ metadata }) => metadata.name),
  );
  const gone: Pod[] = [];
  const unwanted: Pod[] = [];
  const bare: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  for (const [node, pods] of all) {
    const pair = pairOf(facts, pods);
    if (pair === undefined) {
      surging++;
      continue;
    }
    const { fresh, old } = pair;
    const counted = old ?? fresh;
    if (counted !== undefined && isAvailable(counted)) available++;
    if (old === undefined) continue;
    if (fresh !== undefined) {
      if (isAvailable(fresh)) gone.push(old);
      else surging++;
    } else if (!runs.has(node)) (isAvailable(old) ? unwanted : gone).push(old);
    else (isAvailable(old) ? candidates : bare).push(node);
  }
  // What runs where it should not goes only when enough is available elsewhere.
  const spare = unwanted.slice(0, Math.max(0, available - wanted));
  const create = [...bare, ...candidates.slice(0, Math.max(0, surge - surging))];
  return { create, delete: [...gone, ...spare] };
}

function availability({ set, nowMs }: DaemonFacts): (pod: Pod) => boolean {
  return (pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
}
