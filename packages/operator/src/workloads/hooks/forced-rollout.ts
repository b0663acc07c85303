import type { HookContext, Workload } from "./hook-context.ts";

/** By this name at the operator's own resource, at the workload and at its Pods. */
const forceAnnotation = "operator.openshift.io/force";

/**
 * Has all Pods of an operator's workloads restart, by their own rollout: what an administrator puts into the annotation at the
 * operator's resource is handed on, and any other text is another template. Without it nothing is.
 */
export function withForcedRollout() {
  return <W extends Workload>(workload: W, { operator }: HookContext): W => {
    const reason = operator.metadata.annotations?.[forceAnnotation];
    const { spec } = workload;
    if (!reason || spec === undefined) return workload;
    const withReason = (annotations: Record<string, string> | undefined) => ({
      ...annotations,
      [forceAnnotation]: reason,
    });
    const { metadata } = spec.template;
    const template = { ...spec.template, metadata: { ...metadata, annotations: withReason(metadata?.annotations) } };
    const annotations = withReason(workload.metadata.annotations);
    return { ...workload, metadata: { ...workload.metadata, annotations }, spec: { ...spec, template } };
  };
}
