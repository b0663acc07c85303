import type { Taint, Toleration } from "@stowage/machinery";
import { isTolerated } from "../../kit/index.ts";

/** How long a Pod may stay on a node with these taints: 0 when it has to go at once, undefined when it may stay. */
export function toleratedMs(taints: readonly Taint[], tolerations: readonly Toleration[]): number | undefined {
  if (taints.length === 0) return undefined;
  const used = taints.map((taint) => tolerations.find((toleration) => isTolerated(taint, [toleration])));
  if (used.includes(undefined)) return 0;
  const limits = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  return limits.length === 0 ? undefined : Math.max(0, Math.min(...limits)) * 1000;
}
