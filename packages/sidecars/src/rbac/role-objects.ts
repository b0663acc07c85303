import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  ServiceAccount,
  Subject,
} from "@stowage/machinery";
import type { RoleRules } from "./role-rules.ts";
import type { PartName } from "./role-table.ts";

export type RoleObject = ServiceAccount | ClusterRole | ClusterRoleBinding | Role | RoleBinding;

/** One part of a sidecar's rights, and the namespace that the sidecar runs in. */
export interface RolePlace {
  readonly sidecar: string;
  readonly part: PartName;
  readonly namespace: string;
}

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

export function serviceAccountName(sidecar: string): string {
  return `stowage-${sidecar}`;
}

/** What gives the sidecar's ServiceAccount exactly these rights; the ServiceAccount comes with the base. */
export function desiredRoleObjects({ sidecar, part, namespace }: RolePlace, rules: RoleRules): RoleObject[] {
  const account = { name: serviceAccountName(sidecar), namespace };
  const name = part === "base" ? account.name : `${account.name}-${part}`;
  const subjects = [{ kind: "ServiceAccount", ...account }];
  return [
    ...(part === "base" ? [{ apiVersion: "v1", kind: "ServiceAccount", metadata: account } as const] : []),
    ...(rules.cluster.length === 0 ? [] : clusterObjects(name, rules.cluster, subjects)),
    ...(rules.namespaced.length === 0 ? [] : namespacedObjects({ name, namespace }, rules.namespaced, subjects)),
  ];
}

function clusterObjects(name: string, rules: readonly PolicyRule[], subjects: Subject[]): RoleObject[] {
  const roleRef = { apiGroup, kind: "ClusterRole", name };
  return [
    { apiVersion, kind: "ClusterRole", metadata: { name }, rules: [...rules] },
    { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, subjects, roleRef },
  ];
}

function namespacedObjects(
  metadata: { name: string; namespace: string },
  rules: readonly PolicyRule[],
  subjects: Subject[],
): RoleObject[] {
  const roleRef = { apiGroup, kind: "Role", name: metadata.name };
  return [
    { apiVersion, kind: "Role", metadata, rules: [...rules] },
    { apiVersion, kind: "RoleBinding", metadata, subjects, roleRef },
  ];
}
