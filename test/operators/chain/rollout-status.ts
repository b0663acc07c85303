import type { DaemonSet, Deployment, DeploymentCondition } from "@stowage/machinery";

const NODES = 3;

/** What the controller manager says of a Deployment when it has begun a rollout: what ran before still runs. */
export function begunDeployment({ metadata, status }: Deployment): Deployment["status"] {
  const { availableReplicas = 0 } = status ?? {};
  return {
    observedGeneration: metadata.generation,
    replicas: availableReplicas,
    updatedReplicas: 0,
    conditions: [progressing("True", "ReplicaSetUpdated")],
  };
}

export function rolledOutDeployment({ metadata, spec }: Deployment): Deployment["status"] {
  const count = spec?.replicas ?? 1;
  return {
    observedGeneration: metadata.generation,
    replicas: count,
    updatedReplicas: count,
    readyReplicas: count,
    availableReplicas: count,
    conditions: [progressing("True", "NewReplicaSetAvailable")],
  };
}

/** One whose new Pods do not start. Those of before are kept, as a rolling update does. */
export function failedDeployment(deployment: Deployment): Deployment["status"] {
  const message = `ReplicaSet "${deployment.metadata.name}-x" has timed out progressing.`;
  const conditions = [{ ...progressing("False", "ProgressDeadlineExceeded"), message }];
  return { ...rolledOutDeployment(deployment), updatedReplicas: 1, unavailableReplicas: 1, conditions };
}

export function begunDaemonSet({ metadata, status }: DaemonSet): Partial<DaemonSet["status"]> {
  const { numberAvailable = 0 } = status ?? {};
  return {
    observedGeneration: metadata.generation,
    currentNumberScheduled: NODES,
    desiredNumberScheduled: NODES,
    numberMisscheduled: 0,
    numberReady: numberAvailable,
    updatedNumberScheduled: 0,
    numberUnavailable: NODES - numberAvailable,
  };
}

export function rolledOutDaemonSet(daemonSet: DaemonSet): Partial<DaemonSet["status"]> {
  return {
    ...begunDaemonSet(daemonSet),
    updatedNumberScheduled: NODES,
    numberReady: NODES,
    numberAvailable: NODES,
    numberUnavailable: 0,
  };
}

function progressing(status: "True" | "False", reason: string): DeploymentCondition {
  return { type: "Progressing", status, reason };
}
