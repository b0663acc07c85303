import type { Deployment, DeploymentSpec, Pod, PodSpec, PodTemplateSpec } from "@stowage/machinery";

/**
 * Of Pods that the scheduler leaves alone, so that what it says of them does not depend on the nodes that other scenarios make.
 * Scenarios that want it to look at them say so in `more`.
 */
export function podTemplate(app: string, more: Partial<PodSpec> = {}): PodTemplateSpec {
  return {
    metadata: { labels: { app } },
    spec: { schedulerName: "nobody", containers: [{ name: "main", image: "example.org/main:1" }], ...more },
  };
}

export const container = (image: string) => ({ containers: [{ name: "main", image }] });

/** A patch that changes the image of all Pods. */
export const withImage = (image: string) => ({ spec: { template: { spec: container(image) } } });

export function deployment(replicas: number, more: Partial<DeploymentSpec> = {}) {
  return {
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template: podTemplate("web"), ...more },
  };
}

/** The rollout is over, and the controller has seen all of it. */
export function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec?.replicas ?? 0;
  const {
    replicas = 0,
    updatedReplicas = 0,
    availableReplicas = 0,
    observedGeneration,
    conditions = [],
  } = status ?? {};
  const isSaid = conditions.some(({ reason }) => reason === "NewReplicaSetAvailable");
  const hasAll = [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted);
  return observedGeneration === metadata.generation && hasAll && isSaid;
}

export const imageOf = ({ spec }: Pod): string => spec?.containers[0]?.image ?? "";
