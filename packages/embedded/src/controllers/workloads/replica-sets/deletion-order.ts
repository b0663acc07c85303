import type { Pod } from "@stowage/machinery";
import { parseTime } from "@stowage/machinery";
import { isPodActive, isPodReady, readySinceMs } from "../../kit/index.ts";

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const NANOSECONDS = 1_000_000;

type Rule = (a: Pod, b: Pod) => number;

/**
 * The Pods in the order in which they are best deleted: those that do least first. `related` are those that serve the same purpose: a node
 * that has many of them can lose one. Times count by their magnitude only, so that Pods of about the same age go in no particular order.
 */
export function deletionOrder(pods: readonly Pod[], related: readonly Pod[], nowMs: number): Pod[] {
  const rules = rulesOf(crowding(related), nowMs);
  return pods.toSorted((a, b) => rules.reduce((order, rule) => (order === 0 ? rule(a, b) : order), 0));
}

function rulesOf(crowd: ReadonlyMap<string, number>, nowMs: number): Rule[] {
  const crowdOf = (pod: Pod) => crowd.get(pod.spec?.nodeName ?? "") ?? 0;
  return [
    (a, b) => Number(Boolean(a.spec?.nodeName)) - Number(Boolean(b.spec?.nodeName)),
    (a, b) => phaseOf(a) - phaseOf(b),
    (a, b) => Number(isPodReady(a)) - Number(isPodReady(b)),
    (a, b) => costOf(a) - costOf(b),
    (a, b) => crowdOf(b) - crowdOf(a),
    (a, b) => byAge(readySinceMs(a), readySinceMs(b), { a, b, nowMs }),
    (a, b) => restartsOf(b) - restartsOf(a),
    (a, b) => sidecarRestartsOf(b) - sidecarRestartsOf(a),
    (a, b) => byAge(createdMs(a), createdMs(b), { a, b, nowMs }),
  ];
}

/** How many active Pods each node has. */
function crowding(related: readonly Pod[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { spec } of related.filter(isPodActive)) {
    const node = spec?.nodeName ?? "";
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}

interface Aged {
  readonly a: Pod;
  readonly b: Pod;
  readonly nowMs: number;
}

/** The younger first; those without a time before all others, and of one magnitude by their uids. */
function byAge(aMs: number | undefined, bMs: number | undefined, { a, b, nowMs }: Aged): number {
  if (aMs === bMs) return 0;
  if (aMs === undefined) return -1;
  if (bMs === undefined) return 1;
  const difference = magnitude(nowMs - aMs) - magnitude(nowMs - bMs);
  if (difference !== 0) return difference;
  return (a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1;
}

function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * NANOSECONDS)) : -1;
}

function phaseOf({ status }: Pod): number {
  return phases[status?.phase ?? ""] ?? 0;
}

function costOf({ metadata }: Pod): number {
  const cost = metadata.annotations?.[DELETION_COST] ?? "";
  return /^[+-]?(?:0|[1-9]\d*)$/u.test(cost) ? Number(cost) : 0;
}

function createdMs({ metadata }: Pod): number | undefined {
  return metadata.creationTimestamp === undefined ? undefined : parseTime(metadata.creationTimestamp);
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function sidecarRestartsOf({ spec, status }: Pod): number {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const names = new Set(sidecars.map(({ name }) => name));
  const statuses = (status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}
