import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  csiDrivers,
  type KubernetesObject,
  networkPolicies,
  type PolicyRule,
  podDisruptionBudgets,
  prometheusRules,
  type ResourceType,
  roleBindings,
  roles,
  StowageError,
  secrets,
  serviceAccounts,
  serviceMonitors,
  services,
} from "@stowage/machinery";
import { mayAll, mayNamed } from "../../rights/rule-list.ts";

/** What assets may hold beside workloads and classes. */
const resourceByKind: ReadonlyMap<string, ResourceType> = new Map(
  [
    clusterRoleBindings,
    clusterRoles,
    configMaps,
    csiDrivers,
    networkPolicies,
    podDisruptionBudgets,
    prometheusRules,
    roleBindings,
    roles,
    secrets,
    serviceAccounts,
    serviceMonitors,
    services,
  ].map((type) => [type.kind, type as ResourceType]),
);

/** Of these something cannot be changed: then the object is made anew. */
const recreatedKinds: ReadonlySet<string> = new Set([
  "CSIDriver",
  "ClusterRoleBinding",
  "ConfigMap",
  "RoleBinding",
  "Secret",
  "Service",
]);

/** To make an object, look at it, put it right, and take it away where that may have to be. */
export function keepRules({ kind, metadata }: KubernetesObject, { isDeleted }: { isDeleted: boolean }): PolicyRule[] {
  const type = resourceOf(kind);
  const removal = isDeleted || recreatedKinds.has(kind) ? ["delete"] : [];
  return [mayAll(type, "create"), mayNamed(type, [metadata.name ?? ""], "get", "update", ...removal)];
}

/** To take an object away that earlier versions have left behind. */
export function removeRules({ kind, metadata }: KubernetesObject): PolicyRule[] {
  return [mayNamed(resourceOf(kind), [metadata.name ?? ""], "get", "delete")];
}

function resourceOf(kind: string): ResourceType {
  const type = resourceByKind.get(kind);
  if (type !== undefined) return type;
  throw new StowageError("ASSET_INVALID", `nobody has said what an operator needs to keep a ${kind}`);
}
