import {
  type ClusterRole,
  type ClusterRoleBinding,
  clusterRoles,
  type KubernetesObject,
  type PolicyRule,
  type Role,
  type RoleBinding,
  roles,
} from "@stowage/machinery";
import { mayNamed } from "../../rights/rule-list.ts";

/** In which namespace an operator needs rules; undefined: in the whole cluster. */
export interface PlacedRules {
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

/**
 * What an operator needs to give rights to its driver: whatever its own roles hold, since nobody may give what he does not have; and to
 * bind those that somebody else has made, by their names.
 */
export function grantedRules(objects: readonly KubernetesObject[]): PlacedRules[] {
  const isOwn = (kind: string, name: string, namespace: string | undefined) =>
    objects.some(
      (object) =>
        object.kind === kind &&
        object.metadata.name === name &&
        (kind === "ClusterRole" || object.metadata.namespace === namespace),
    );
  return objects.flatMap((object): PlacedRules[] => {
    const { namespace } = object.metadata;
    if (object.kind === "ClusterRole" || object.kind === "Role") {
      return [{ namespace, rules: (object as ClusterRole | Role).rules ?? [] }];
    }
    if (object.kind !== "ClusterRoleBinding" && object.kind !== "RoleBinding") return [];
    const { kind, name } = (object as ClusterRoleBinding | RoleBinding).roleRef;
    if (isOwn(kind, name, namespace)) return [];
    return [{ namespace, rules: [mayNamed(kind === "ClusterRole" ? clusterRoles : roles, [name], "bind")] }];
  });
}
