import type { Container, DaemonSet, Deployment, EnvVar, Volume, VolumeMount } from "@stowage/machinery";

/** The container that every driver has in both of its workloads. */
const DRIVER_CONTAINER = "csi-driver";

/** What a hook adds to a container; none of it replaces anything. */
export interface ContainerAddition {
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly volumeMounts?: readonly VolumeMount[];
}

/** The workload with more for the driver itself. */
export function withDriverAddition<W extends Deployment | DaemonSet>(
  workload: W,
  addition: ContainerAddition,
  volumes: readonly Volume[] = [],
): W {
  const { spec } = withAddition(workload, DRIVER_CONTAINER, addition);
  const pod = spec?.template.spec;
  if (spec === undefined || pod === undefined || volumes.length === 0) return { ...workload, spec };
  const template = { ...spec.template, spec: { ...pod, volumes: [...(pod.volumes ?? []), ...volumes] } };
  return { ...workload, spec: { ...spec, template } };
}

/** Likewise for one of the sidecars; nothing where they are all in one. */
export function withAddition<W extends Deployment | DaemonSet>(
  workload: W,
  containerName: string,
  addition: ContainerAddition,
): W {
  const { spec } = workload;
  const pod = spec?.template.spec;
  if (spec === undefined || pod === undefined) return workload;
  const containers = pod.containers.map((each) => (each.name === containerName ? added(each, addition) : each));
  return { ...workload, spec: { ...spec, template: { ...spec.template, spec: { ...pod, containers } } } };
}

function added(container: Container, { args = [], env = [], volumeMounts = [] }: ContainerAddition): Container {
  return {
    ...container,
    ...(args.length > 0 && { args: [...(container.args ?? []), ...args] }),
    ...(env.length > 0 && { env: [...(container.env ?? []), ...env] }),
    ...(volumeMounts.length > 0 && { volumeMounts: [...(container.volumeMounts ?? []), ...volumeMounts] }),
  };
}
