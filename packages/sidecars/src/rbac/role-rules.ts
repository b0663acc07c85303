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

/** What a local copy needs; `list` only where the server does not begin a watch with what is there. */
export const copyVerbs = ["list", "watch"] as const;

/** Beside a local copy, objects are read one by one when nothing older will do. */
export const readVerbs = ["get", ...copyVerbs] as const;
