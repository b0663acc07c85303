import type { Container, PodSpec } from "@stowage/machinery";
import type { Workload } from "./hook-context.ts";

/** The workload with another Pod spec. */
export function withPodSpec<W extends Workload>(workload: W, change: (pod: PodSpec) => PodSpec): W {
  const { spec } = workload;
  if (spec?.template.spec === undefined) return workload;
  return { ...workload, spec: { ...spec, template: { ...spec.template, spec: change(spec.template.spec) } } };
}

/** The containers, also those of initialisation, that an annotation names, separated by commas. */
export function withNamedContainers(
  pod: PodSpec,
  names: string | undefined,
  change: (container: Container) => Container,
): PodSpec {
  const wanted = new Set((names ?? "").split(",").map((name) => name.trim()));
  const changed = (container: Container) => (wanted.has(container.name) ? change(container) : container);
  return {
    ...pod,
    ...(pod.initContainers && { initContainers: pod.initContainers.map(changed) }),
    containers: pod.containers.map(changed),
  };
}
