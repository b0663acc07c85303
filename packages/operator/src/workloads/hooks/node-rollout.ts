import type { DaemonSet } from "@stowage/machinery";
import type { WorkloadHook } from "./hook-context.ts";

/** A tenth of the nodes at a time, where the asset does not say otherwise: one by one takes hours in a large cluster. */
export function withNodeRollout(maxUnavailable: number | string = "10%"): WorkloadHook<DaemonSet> {
  return (daemonSet) => {
    const { spec } = daemonSet;
    const strategy = spec?.updateStrategy;
    if (spec === undefined || strategy?.type === "OnDelete" || strategy?.rollingUpdate !== undefined) return daemonSet;
    return {
      ...daemonSet,
      spec: { ...spec, updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable } } },
    };
  };
}
