import type {
  ClusterRole,
  ClusterRoleBinding,
  KubernetesObject,
  PolicyRule,
  Role,
  RoleBinding,
  ServiceAccount,
} from "@stowage/machinery";
import { mergedRules } from "../../rights/rule-list.ts";
import type { OperatorPlace } from "./operator-pod.ts";

/** What somebody may do: everywhere, and in some namespaces besides. */
export interface Rights {
  readonly cluster: readonly PolicyRule[];
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

export function serviceAccountObject({ name, namespace }: OperatorPlace): ServiceAccount {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
}

export interface RoleInput {
  readonly account: OperatorPlace;
  readonly role: string;
  readonly binding: string;
  readonly rules: readonly PolicyRule[];
}

export function clusterRoleObjects(input: RoleInput): readonly [ClusterRole, ClusterRoleBinding] {
  const { account, role, binding, rules } = input;
  const roleRef = { apiGroup, kind: "ClusterRole", name: role };
  return [
    { apiVersion, kind: "ClusterRole", metadata: { name: role }, rules: [...rules] },
    { apiVersion, kind: "ClusterRoleBinding", metadata: { name: binding }, roleRef, subjects: [subjectOf(account)] },
  ];
}

export function roleObjects(input: RoleInput, namespace: string): readonly [Role, RoleBinding] {
  const { account, role, binding, rules } = input;
  const roleRef = { apiGroup, kind: "Role", name: role };
  return [
    { apiVersion, kind: "Role", metadata: { name: role, namespace }, rules: [...rules] },
    {
      apiVersion,
      kind: "RoleBinding",
      metadata: { name: binding, namespace },
      roleRef,
      subjects: [subjectOf(account)],
    },
  ];
}

/** A ClusterRole, where something is allowed everywhere, and a Role in each of the namespaces; with their bindings. */
export function rightsObjects({ cluster, namespaced }: Rights, input: Omit<RoleInput, "rules">): KubernetesObject[] {
  return [
    ...(cluster.length === 0 ? [] : clusterRoleObjects({ ...input, rules: cluster })),
    ...Object.entries(namespaced).flatMap(([namespace, rules]) => roleObjects({ ...input, rules }, namespace)),
  ];
}

function subjectOf({ name, namespace }: OperatorPlace) {
  return { kind: "ServiceAccount", name, namespace };
}

/** What the roles among the objects grant, where each of them does. */
export function rightsGrantedBy(objects: readonly KubernetesObject[]): Rights {
  const cluster: PolicyRule[] = [];
  const namespaced: Record<string, PolicyRule[]> = {};
  for (const object of objects) {
    const { rules = [] } = object as ClusterRole;
    if (object.kind === "ClusterRole") cluster.push(...rules);
    if (object.kind === "Role") (namespaced[object.metadata.namespace ?? ""] ??= []).push(...rules);
  }
  const merged = Object.entries(namespaced).map(([namespace, rules]) => [namespace, mergedRules(rules)] as const);
  return { cluster: mergedRules(cluster), namespaced: Object.fromEntries(merged) };
}
