import { deployments, type KubernetesObject, type PolicyRule, pods } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import { configNamespace, storageOperatorNamespace } from "../names.ts";
import { validatorName } from "../populators/validator-assets.ts";
import type { Rights } from "./role-objects.ts";
import {
  clusterStateRules,
  driversNamespaceRules,
  keptIn,
  processRules,
  type StorageRightsInput,
  selinuxRule,
} from "./storage-operator-rights.ts";

/** What the storage operator does beside a hosted control plane: something in that namespace, and nothing in its cluster. */
export function managementRights({ entries, objects }: StorageRightsInput, namespace: string): Rights {
  const operators = entries.map(({ operatorName }) => operatorName);
  const rules = [
    ...processRules,
    ...driversNamespaceRules(entries),
    // To say which version runs.
    mayNamed(deployments, operators, "patch"),
    mayAll(hostedControlPlanes, "list", "watch"),
    ...keptIn(objects, namespace),
  ];
  return { cluster: [], namespaced: { [namespace]: mergedRules(rules) } };
}

/** What it does in the guest: no operator is there, and no certificate. */
export function guestRights({ entries, objects }: StorageRightsInput): Rights {
  const ownByPlace: Readonly<Record<string, readonly PolicyRule[]>> = {
    [storageOperatorNamespace]: validatorRules,
    [configNamespace]: [selinuxRule],
  };
  const places = [...new Set([...Object.keys(ownByPlace), ...objects.flatMap(namespaceOf)])];
  const namespaced = places.map(
    (place) => [place, mergedRules([...(ownByPlace[place] ?? []), ...keptIn(objects, place)])] as const,
  );
  return {
    cluster: mergedRules([...clusterStateRules(entries), ...keptIn(objects, undefined)]),
    namespaced: Object.fromEntries(namespaced),
  };
}

/** It looks at claims, which are in the guest. */
const validatorRules: readonly PolicyRule[] = [
  mayAll(deployments, "create"),
  mayNamed(deployments, [validatorName], "get", "list", "watch", "update"),
  // Why its rollout has failed.
  mayAll(pods, "list"),
];

function namespaceOf({ metadata }: KubernetesObject): string[] {
  return metadata.namespace === undefined ? [] : [metadata.namespace];
}
