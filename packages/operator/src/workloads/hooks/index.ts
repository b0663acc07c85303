/**
 * Small functions that fit a workload to its cluster: the first three on the text of the manifest, the others on the object.
 * `standard-hooks.ts` puts them into the order in which the originals run them; `hook-context.ts` has what they are given. `hosted/` has
 * those for control planes that are Pods of another cluster.
 */
export { withCaBundle } from "./ca-bundle.ts";
export { withDependencies } from "./dependencies.ts";
export { withForcedRollout } from "./forced-rollout.ts";
export {
  type HookContext,
  type Workload,
  type WorkloadFacts,
  type WorkloadHook,
  type WorkloadManifestHook,
} from "./hook-context.ts";
export * from "./hosted/index.ts";
export {
  type LeaderElectionValues,
  platformLeaderElection,
  singleNodeLeaderElection,
  withLeaderElection,
} from "./leader-election-values.ts";
export { withNodeRollout } from "./node-rollout.ts";
export { withObservedProxy } from "./observed-proxy.ts";
export {
  type ImageOptions,
  imagesFrom,
  type OperandPlaceholders,
  operandImageNames,
  withOperandPlaceholders,
} from "./operand-placeholders.ts";
export { withPodSpec } from "./pod-spec.ts";
export { withServingInfo } from "./serving-info.ts";
export {
  type ControllerHooksSpec,
  controllerHooks,
  type HookSet,
  type HostedHooksSpec,
  type NodeHooksSpec,
  nodeHooks,
  operatorHooks,
} from "./standard-hooks.ts";
export { withControlPlaneTopology, withReplicas } from "./topology.ts";
