import type { PolicyRule } from "@stowage/machinery";

/** The least that a sidecar must be allowed: what the tests run with, and what is deployed. */
export interface RoleRules {
  /** Of a ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** Of a Role in the namespace that the sidecar runs in. */
  readonly namespaced: readonly PolicyRule[];
}

export function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

/** What an informer needs. */
export const readVerbs = ["get", "list", "watch"] as const;
