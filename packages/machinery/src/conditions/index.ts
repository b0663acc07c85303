/**
 * Status conditions, as Kubernetes (`metav1.Condition`) and OpenShift (`OperatorCondition`, `ClusterOperatorStatusCondition`)
 * have them. Everything here is pure: lists come in, new lists go out.
 */
export {
  type ConditionShape,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionUnknown,
} from "./condition.ts";
export { areConditionsEqual, isConditionEqual } from "./condition-equality.ts";
export { removeCondition, setCondition } from "./condition-update.ts";
