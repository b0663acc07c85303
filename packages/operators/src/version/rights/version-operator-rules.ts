import {
  type ClusterRoleBinding,
  type CustomResourceDefinition,
  clusterOperators,
  clusterRoles,
  clusterVersions,
  customResourceDefinitions,
  deployments,
  events,
  leases,
  type PolicyRule,
  type ResourceType,
  roles,
} from "@stowage/machinery";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import { clusterVersionName, foreignDeploymentName, versionOperatorLease } from "../operator/ownership.ts";
import { ownDefinitionNames } from "../operator/version-apis.ts";
import { isClusterOperator, isCreateOnly, isDeletion, type Payload, type PayloadManifest } from "../payload/index.ts";
import { resourceOf } from "./kind-resources.ts";

/** All that the version operator has to be allowed for a payload. */
export interface VersionOperatorRules {
  /** Of a ClusterRole: the payload brings its own namespaces, so that there can be no Roles in them beforehand. */
  readonly cluster: readonly PolicyRule[];
  /** Of a Role in the namespace that the operator is in. */
  readonly namespaced: readonly PolicyRule[];
}

/** Of these something cannot be changed: then the object is made anew. */
const recreatedKinds: ReadonlySet<string> = new Set([
  "CSIDriver",
  "ClusterRoleBinding",
  "ConfigMap",
  "DaemonSet",
  "Deployment",
  "RoleBinding",
  "Secret",
  "Service",
  "StorageClass",
  "VolumeAttributesClass",
]);

/**
 * Everything by name but what cannot be: to create, and to follow ClusterOperators, of which any may speak against an upgrade. The
 * rights that the payload's roles give are not among the operator's own; it may give them to these roles alone (`escalate`), and
 * these roles alone to others (`bind`).
 */
export function versionOperatorRules(payload: Payload): VersionOperatorRules {
  const definitions = payload.manifests
    .map(({ object }) => object)
    .filter((object): object is CustomResourceDefinition => object.kind === "CustomResourceDefinition");
  const operators = payload.manifests.filter(isClusterOperator).map(nameOf);
  const others = payload.manifests.filter((manifest) => !isClusterOperator(manifest));
  return {
    cluster: mergedRules([
      ...ownRules(operators),
      ...others.flatMap((manifest) => manifestRules(manifest, definitions)),
    ]),
    namespaced: mergedRules([
      mayAll(leases, "create"),
      mayNamed(leases, [versionOperatorLease], "get", "update", "watch"),
      mayAll(events, "create", "patch"),
    ]),
  };
}

function ownRules(operators: readonly string[]): PolicyRule[] {
  const status = ({ group, plural }: ResourceType) => ({ group, plural: `${plural}/status` });
  return [
    mayAll(clusterVersions, "create"),
    mayNamed(clusterVersions, [clusterVersionName], "get", "list", "watch", "patch"),
    mayNamed(status(clusterVersions), [clusterVersionName], "update"),
    mayAll(clusterOperators, "list", "watch"),
    ...(operators.length === 0
      ? []
      : [
          mayAll(clusterOperators, "create"),
          mayNamed(clusterOperators, operators, "get", "patch"),
          mayNamed(status(clusterOperators), operators, "update"),
        ]),
    mayAll(customResourceDefinitions, "create"),
    mayNamed(customResourceDefinitions, ownDefinitionNames, "get", "update"),
    // Whether OpenShift's operator is there.
    mayNamed(deployments, [foreignDeploymentName], "get"),
  ];
}

function manifestRules(manifest: PayloadManifest, definitions: readonly CustomResourceDefinition[]): PolicyRule[] {
  const type = resourceOf(manifest.object, definitions);
  const name = [nameOf(manifest)];
  if (isDeletion(manifest)) return [mayNamed(type, name, "get", "delete")];
  if (isCreateOnly(manifest)) return [mayAll(type, "create"), mayNamed(type, name, "get")];
  const removal = recreatedKinds.has(manifest.object.kind) ? ["delete"] : [];
  return [mayAll(type, "create"), mayNamed(type, name, "get", "update", ...removal), ...grantRules(manifest)];
}

function grantRules({ object }: PayloadManifest): PolicyRule[] {
  const { name = "" } = object.metadata;
  switch (object.kind) {
    case "ClusterRole":
      return [mayNamed(clusterRoles, [name], "escalate")];
    case "Role":
      return [mayNamed(roles, [name], "escalate")];
    case "ClusterRoleBinding":
    case "RoleBinding": {
      const { roleRef } = object as ClusterRoleBinding;
      return [mayNamed(roleRef.kind === "ClusterRole" ? clusterRoles : roles, [roleRef.name], "bind")];
    }
    default:
      return [];
  }
}

function nameOf({ object }: PayloadManifest): string {
  return object.metadata.name ?? "";
}
