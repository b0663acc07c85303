import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from "@stowage/machinery";
import { runtime } from "./containers.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

export function clusterRole(name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion, kind: "ClusterRole", metadata: { name }, rules: [...rules] };
}

/** Gives a ClusterRole to a ServiceAccount of the driver. */
export function clusterRoleBinding(name: string, role: string, account: string): ClusterRoleBinding {
  const roleRef = { apiGroup, kind: "ClusterRole", name: role };
  return { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, roleRef, subjects: [ownAccount(account)] };
}

/** In the driver's namespace. */
export function role(name: string, rules: readonly PolicyRule[]): Role {
  return { apiVersion, kind: "Role", metadata: { name, namespace: runtime("NODE_NAMESPACE") }, rules: [...rules] };
}

/** Of the Role of the same name. */
export function roleBinding(name: string, subject: Subject): RoleBinding {
  const metadata = { name, namespace: runtime("NODE_NAMESPACE") };
  return { apiVersion, kind: "RoleBinding", metadata, roleRef: { apiGroup, kind: "Role", name }, subjects: [subject] };
}

export function ownAccount(name: string): Subject {
  return { kind: "ServiceAccount", name, namespace: runtime("NODE_NAMESPACE") };
}

/** OpenShift's Prometheus. */
export const prometheusAccount: Subject = {
  kind: "ServiceAccount",
  name: "prometheus-k8s",
  namespace: "openshift-monitoring",
};

/** To find out who asks, and whether they may. */
export const rbacProxyRules: readonly PolicyRule[] = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
];

export const prometheusRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["services", "endpoints", "pods"], verbs: ["get", "list", "watch"] },
];

/** As the originals have it. */
export const leaderElectionRules: readonly PolicyRule[] = [
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "watch", "list", "delete", "update", "create"],
  },
];

/** Means nothing outside of OpenShift. */
export const privilegedRules: readonly PolicyRule[] = [
  {
    apiGroups: ["security.openshift.io"],
    resources: ["securitycontextconstraints"],
    resourceNames: ["privileged"],
    verbs: ["use"],
  },
];
