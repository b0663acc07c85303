import { formatTime, type Node, type NodeCondition, type Taint } from "@stowage/machinery";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** Which taint each state of a condition means. */
const conditionTaints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
};

/** All that are given by what a node is like; others are nobody's business here. */
const managed: ReadonlySet<string> = new Set([
  UNSCHEDULABLE,
  ...Object.values(conditionTaints).flatMap((byStatus) => Object.values(byStatus)),
]);

const ofReadiness: ReadonlySet<string> = new Set([NOT_READY, UNREACHABLE]);

/** The node's taints with those of effect NoSchedule as its state wants them; undefined when they are so. */
export function desiredNoScheduleTaints({ spec, status }: Node, nowMs: number): Taint[] | undefined {
  const keys = (status?.conditions ?? []).flatMap(({ type, status: said }) => conditionTaints[type]?.[said] ?? []);
  if (spec?.unschedulable === true) keys.push(UNSCHEDULABLE);
  return changedTaints(spec?.taints ?? [], { effect: "NoSchedule", own: managed, keys }, nowMs);
}

export type ReadyStatus = NodeCondition["status"];

/** The node's taints with those of effect NoExecute as its readiness wants them; undefined when they are so. */
export function desiredNoExecuteTaints({ spec }: Node, ready: ReadyStatus, nowMs: number): Taint[] | undefined {
  const key = conditionTaints["Ready"]?.[ready];
  const keys = key === undefined ? [] : [key];
  return changedTaints(spec?.taints ?? [], { effect: "NoExecute", own: ofReadiness, keys }, nowMs);
}

/** Whether its Pods have to go, since it is not ready. */
export function isGivenUp({ spec }: Node): boolean {
  return (spec?.taints ?? []).some(({ effect, key }) => effect === "NoExecute" && ofReadiness.has(key));
}

interface WantedTaints {
  readonly effect: Taint["effect"];
  /** The keys that are decided here. */
  readonly own: ReadonlySet<string>;
  readonly keys: readonly string[];
}

function changedTaints(taints: readonly Taint[], { effect, own, keys }: WantedTaints, nowMs: number) {
  const isSurplus = (taint: Taint) => taint.effect === effect && own.has(taint.key) && !keys.includes(taint.key);
  const kept = taints.filter((taint) => !isSurplus(taint));
  const missing = keys.filter((key) => !taints.some((taint) => taint.effect === effect && taint.key === key));
  if (missing.length === 0 && kept.length === taints.length) return undefined;
  return [...kept, ...missing.map((key): Taint => ({ key, effect, timeAdded: formatTime(nowMs) }))];
}

/** Older programs know these labels alone. */
const olderLabels: Readonly<Record<string, string>> = {
  "kubernetes.io/os": "beta.kubernetes.io/os",
  "kubernetes.io/arch": "beta.kubernetes.io/arch",
};

/** Labels under their older names that are missing, or differ. */
export function missingOlderLabels({ metadata }: Node): Record<string, string> {
  const labels = metadata.labels ?? {};
  const entries = Object.entries(olderLabels).flatMap(([name, older]) => {
    const value = labels[name];
    return value === undefined || labels[older] === value ? [] : [[older, value] as const];
  });
  return Object.fromEntries(entries);
}
