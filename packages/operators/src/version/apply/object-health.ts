import {
  type CustomResourceDefinition,
  type DaemonSet,
  type Deployment,
  findCondition,
  isConditionTrue,
  type Job,
  type KubernetesObject,
} from "@stowage/machinery";
import { daemonSetProgress, deploymentFailure, deploymentProgress } from "@stowage/operator";
import type { Trouble } from "./trouble.ts";

/**
 * What an object that was applied is still waited for, by its kind. Workloads are waited for until they are rolled out; OpenShift's
 * operator only reports those that fail. What is lost later, such as a Pod of a node that restarts, is nobody's update.
 */
export function objectTrouble(object: KubernetesObject): Trouble | undefined {
  switch (`${object.apiVersion} ${object.kind}`) {
    case "apps/v1 Deployment":
      return deploymentTrouble(object as Deployment);
    case "apps/v1 DaemonSet":
      return daemonSetTrouble(object as DaemonSet);
    case "batch/v1 Job":
      return jobTrouble(object as Job);
    case "apiextensions.k8s.io/v1 CustomResourceDefinition":
      return definitionTrouble(object as CustomResourceDefinition);
    default:
      return undefined;
  }
}

/** Of a cluster that is at its version: what has failed, not what is rolled out at the moment. */
export function isFailing({ effect }: Trouble): boolean {
  return effect !== "wait";
}

function deploymentTrouble(deployment: Deployment): Trouble | undefined {
  const name = nameOf(deployment);
  const failure = deploymentFailure(deployment);
  if (failure !== undefined) return { effect: "fail", reason: "WorkloadNotProgressing", message: failure, name };
  const progress = deploymentProgress(deployment);
  if (progress === undefined) return undefined;
  return { effect: "wait", reason: "WorkloadNotAvailable", message: `deployment ${name}: ${progress}`, name };
}

function daemonSetTrouble(daemonSet: DaemonSet): Trouble | undefined {
  const name = nameOf(daemonSet);
  const progress = daemonSetProgress(daemonSet);
  if (progress === undefined) return undefined;
  return { effect: "wait", reason: "WorkloadNotAvailable", message: `daemonset ${name}: ${progress}`, name };
}

function jobTrouble(job: Job): Trouble | undefined {
  if ((job.status?.succeeded ?? 0) > 0 || isConditionTrue(job.status?.conditions, "Complete")) return undefined;
  const name = nameOf(job);
  const failed = findCondition(job.status?.conditions, "Failed");
  if (failed?.status !== "True") {
    return { effect: "wait", reason: "JobNotComplete", message: `job ${name} is not complete`, name };
  }
  const words = [failed.reason, failed.message].filter(Boolean).join(": ");
  return { effect: "fail", reason: "JobFailed", message: `job ${name} has failed: ${words}`, name };
}

function definitionTrouble({ metadata, status }: CustomResourceDefinition): Trouble | undefined {
  const established = findCondition(status?.conditions, "Established");
  if (established?.status === "True") return undefined;
  const name = metadata.name ?? "";
  const names = findCondition(status?.conditions, "NamesAccepted");
  const why = names?.status === "False" ? names.message : (established?.message ?? "nothing is said of it yet");
  const message = `CustomResourceDefinition ${name} is not established: ${why}`;
  return { effect: "fail", reason: "UpdatePayloadResourceTypeMissing", message, name };
}

function nameOf({ metadata: { name, namespace } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}
