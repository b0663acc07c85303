import type { Pod } from "@stowage/machinery";

/** The index of Pods by the node that they are on. */
export const podsByNode = {
  name: "nodes/podsByNode",
  valuesOf: ({ spec }: Pod): readonly string[] => (spec?.nodeName ? [spec.nodeName] : []),
} as const;
