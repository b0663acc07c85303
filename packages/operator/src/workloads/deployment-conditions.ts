import { type Deployment, findCondition } from "@stowage/machinery";
import type { StatedCondition } from "../operator-client/index.ts";

/** What a rollout waits for; undefined when it is over. */
export function deploymentProgress({ metadata, spec, status }: Deployment): string | undefined {
  const replicas = spec?.replicas ?? 0;
  if (metadata.generation !== (status?.observedGeneration ?? 0)) return "Waiting for Deployment to act on changes";
  if (isRolledOut(status)) return undefined;
  if ((status?.unavailableReplicas ?? 0) > 0) return "Waiting for Deployment to deploy pods";
  if ((status?.updatedReplicas ?? 0) < replicas) return "Waiting for Deployment to update pods";
  return (status?.availableReplicas ?? 0) < replicas ? "Waiting for Deployment to deploy pods" : undefined;
}

/** Replicas that are lost after a rollout, as when a node restarts, are no rollout: `Progressing` would flap. */
function isRolledOut(status: Deployment["status"]): boolean {
  const progressing = findCondition(status?.conditions, "Progressing");
  return progressing?.status === "True" && progressing.reason === "NewReplicaSetAvailable";
}

export function availableCondition(name: string, { status }: Deployment): StatedCondition {
  const type = `${name}Available`;
  return (status?.availableReplicas ?? 0) > 0
    ? { type, status: "True", reason: "AsExpected", message: "Deployment is available" }
    : { type, status: "False", reason: "Deploying", message: "Waiting for Deployment" };
}

export function progressingCondition(name: string, deployment: Deployment): StatedCondition {
  const type = `${name}Progressing`;
  const message = deploymentProgress(deployment);
  return message === undefined
    ? { type, status: "False", reason: "AsExpected", message: "Deployment is not progressing" }
    : { type, status: "True", reason: "Deploying", message };
}

/** Kubernetes' own word that a rollout has failed; not of an earlier generation, which may be mended already. */
export function deploymentFailure({ metadata, status }: Deployment): string | undefined {
  if (metadata.generation !== (status?.observedGeneration ?? 0)) return undefined;
  const which = `deployment ${metadata.namespace}/${metadata.name}`;
  const progressing = findCondition(status?.conditions, "Progressing");
  if (progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded") {
    return `${which} does not progress: ProgressDeadlineExceeded: ${progressing.message ?? ""}`;
  }
  const replicaFailure = findCondition(status?.conditions, "ReplicaFailure");
  if (replicaFailure?.status === "True") {
    const { reason = "", message = "" } = replicaFailure;
    return `${which} has some pods failing (ReplicaFailure): ${reason}: ${message}`;
  }
  const isAvailable = findCondition(status?.conditions, "Available")?.status !== "False";
  if (isAvailable || progressing?.status !== "False") return undefined;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const counts = `updated replicas=${updatedReplicas} of ${replicas}, available replicas=${availableReplicas} of ${replicas}`;
  return `${which} is not available and not progressing; ${counts}`;
}
