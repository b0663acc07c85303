/**
 * Nodes and what is on them. `node-lifecycle.ts` notices those that are lost, by `node-health.ts` and `zone-watch.ts`; `node-state.ts` and
 * `node-taints.ts` tell by taints what a node is like; `taint-eviction.ts` has Pods go by them; `pod-collector.ts` deletes Pods that
 * nobody else would; `ttl-annotations.ts` tells kubelets how long they may remember.
 */
export { createNodeLifecycle } from "./node-lifecycle.ts";
export { createNodeState } from "./node-state.ts";
export { createPodCollector } from "./pod-collector.ts";
export { createTaintEviction } from "./taint-eviction.ts";
export { createTtlAnnotations } from "./ttl-annotations.ts";
