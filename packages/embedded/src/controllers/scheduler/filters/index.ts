import { volumeBinding } from "../volumes/volume-binding.ts";
import { interPodAffinity } from "./affinity-filter.ts";
import type { Filter } from "./filter.ts";
import { nodeAffinity, nodeName, nodePorts, nodeUnschedulable, taintToleration } from "./node-filters.ts";
import { nodeResourcesFit } from "./resource-filter.ts";
import { podTopologySpread } from "./spread-filter.ts";
import { nodeVolumeLimits, volumeRestrictions, volumeZone } from "./volume-filters.ts";

export type { Filter, PreparedFilter, Refusal } from "./filter.ts";

/** In the order of kube-scheduler's default profile: the first that refuses a node is the one that says why. */
export const allFilters: readonly Filter[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
];

/** Those that look at nothing but the node itself: what a node that came or changed is judged by first. */
export const nodeFilters: readonly Filter[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodeResourcesFit,
];
