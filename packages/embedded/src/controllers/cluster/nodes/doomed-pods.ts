import { isConditionTrue, type Node, outOfServiceTaint, type Pod } from "@stowage/machinery";
import { isPodFinished } from "../../kit/index.ts";

/** `--terminated-pod-gc-threshold`. */
const MOST_FINISHED = 12_500;

/** Those that have ended and are too many: evicted ones first, then the oldest. */
export function surplusPods(all: readonly Pod[], most: number = MOST_FINISHED): Pod[] {
  const finished = all.filter(isPodFinished);
  return finished.length <= most ? [] : finished.toSorted(expendableFirst).slice(0, finished.length - most);
}

function expendableFirst(left: Pod, right: Pod): number {
  const isEvicted = ({ status }: Pod) => status?.phase === "Failed" && status.reason === "Evicted";
  if (isEvicted(left) !== isEvicted(right)) return isEvicted(left) ? -1 : 1;
  const [a, b] = [left, right].map(({ metadata }) => `${metadata.creationTimestamp ?? ""} ${metadata.name ?? ""}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

/** Those on their way out on a node that somebody has declared out of service, and whose kubelet says nothing. */
export function strandedPods(all: readonly Pod[], nodeOf: (name: string) => Node | undefined): Pod[] {
  return all.filter(({ metadata, spec }) => {
    const node = nodeOf(spec?.nodeName ?? "");
    if (metadata.deletionTimestamp === undefined || node === undefined) return false;
    const isOut = (node.spec?.taints ?? []).some(({ key }) => key === outOfServiceTaint);
    return isOut && !isConditionTrue(node.status?.conditions, "Ready");
  });
}

/** Those that were never given to a node, and so to nobody who would end them. */
export function unscheduledPods(all: readonly Pod[]): Pod[] {
  return all.filter(({ metadata, spec }) => metadata.deletionTimestamp !== undefined && !spec?.nodeName);
}

export function nodesMissing(all: readonly Pod[], nodeOf: (name: string) => Node | undefined): Set<string> {
  const named = all.flatMap(({ spec }) => spec?.nodeName || []);
  return new Set(named.filter((name) => nodeOf(name) === undefined));
}
