/**
 * How an operator is, for the cluster to see. `cluster-operator-controller.ts` writes the ClusterOperator; `condition-union.ts` makes
 * one condition of many, `cluster-operator-status.ts` the whole status, `status-difference.ts` the words of the event.
 */
export {
  type ClusterOperatorDeps,
  type ClusterOperatorSpec,
  clusterOperatorController,
} from "./cluster-operator-controller.ts";
export {
  type ClusterOperatorInput,
  type DesiredClusterOperator,
  desiredClusterOperator,
} from "./cluster-operator-status.ts";
export { degradedInertiaMs, type Union, type UnionRule, unionOf, unionRules } from "./condition-union.ts";
