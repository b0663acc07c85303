import type { Deployment } from "@stowage/machinery";
import { controlPlaneRoles } from "../../configuration/index.ts";
import type { WorkloadFacts, WorkloadHook } from "./hook-context.ts";
import { withPodSpec } from "./pod-spec.ts";

/**
 * WithControlPlaneTopology: Pods go to masters only where there are any. With an external control plane the nodeSelector is emptied.
 * Elsewhere, what asks for masters asks by a label that they have, and goes where no node has one: the Pods would never start.
 */
export function withControlPlaneTopology(facts: WorkloadFacts): WorkloadHook<Deployment> {
  return async (deployment, { signal }) => {
    const { controlPlaneTopology, controlPlaneRoles: roles } = await facts.current(signal);
    return withPodSpec(deployment, (pod) => {
      if (controlPlaneTopology === "External") return { ...pod, nodeSelector: {} };
      return pod.nodeSelector === undefined ? pod : { ...pod, nodeSelector: selectorFor(pod.nodeSelector, roles) };
    });
  };
}

function selectorFor(wanted: Readonly<Record<string, string>>, roles: readonly string[]): Record<string, string> {
  const terms = Object.entries(wanted).flatMap(([label, value]) => {
    if (!controlPlaneRoles.includes(label) || roles.includes(label)) return [[label, value] as const];
    return roles.slice(0, 1).map((role) => [role, value] as const);
  });
  return Object.fromEntries(terms);
}

/** WithReplicas: two where the control plane is highly available, one anywhere else, also with two masters or an arbiter. */
export function withReplicas(facts: WorkloadFacts): WorkloadHook<Deployment> {
  return async (deployment, { signal }) => {
    const { controlPlaneTopology } = await facts.current(signal);
    if (deployment.spec === undefined) return deployment;
    return {
      ...deployment,
      spec: { ...deployment.spec, replicas: controlPlaneTopology === "HighlyAvailable" ? 2 : 1 },
    };
  };
}
