import type { JsonObject } from "@stowage/machinery/apply";
import { GoTypes, goForm } from "../go-types/index.ts";

/** Those parts of workloads that messages show whole; `volume-types.ts` says how types are written. */
const types = new GoTypes({
  DaemonSetUpdateStrategy: "Type:type:s RollingUpdate:rollingUpdate:*@RollingUpdateDaemonSet",
  DeploymentStrategy: "Type:type:s RollingUpdate:rollingUpdate:*@RollingUpdateDeployment",
  LabelSelector: "matchLabels:matchLabels?:{}s matchExpressions:matchExpressions?:[]@LabelSelectorRequirement",
  LabelSelectorRequirement: "key:key:s operator:operator:s values:values?:[]s",
  PodDisruptionBudgetSpec:
    "MinAvailable:minAvailable:*j Selector:selector:*@LabelSelector MaxUnavailable:maxUnavailable:*j UnhealthyPodEvictionPolicy:unhealthyPodEvictionPolicy:*s",
  PodFailurePolicy: "Rules:rules:[]@PodFailurePolicyRule",
  PodFailurePolicyOnExitCodesRequirement: "ContainerName:containerName:*s Operator:operator:s Values:values:[]n",
  PodFailurePolicyOnPodConditionsPattern: "Type:type:s Status:status:s",
  PodFailurePolicyRule:
    "Action:action:s OnExitCodes:onExitCodes:*@PodFailurePolicyOnExitCodesRequirement OnPodConditions:onPodConditions:[]@PodFailurePolicyOnPodConditionsPattern",
  RollingUpdateDaemonSet: "MaxUnavailable:maxUnavailable:n MaxSurge:maxSurge:n",
  RollingUpdateDeployment: "MaxUnavailable:maxUnavailable:n MaxSurge:maxSurge:n",
  RollingUpdateStatefulSetStrategy: "Partition:partition:n MaxUnavailable:maxUnavailable:*j",
  StatefulSetUpdateStrategy: "Type:type:s RollingUpdate:rollingUpdate:*@RollingUpdateStatefulSetStrategy",
  SuccessPolicy: "Rules:rules:[]@SuccessPolicyRule",
  SuccessPolicyRule: "SucceededIndexes:succeededIndexes:*s SucceededCount:succeededCount:*n",
  UncountedTerminatedPods: "Succeeded:succeeded:[]s Failed:failed:[]s",
});

export function shownPart(type: string, part: JsonObject): unknown {
  return goForm(types, type, part);
}
