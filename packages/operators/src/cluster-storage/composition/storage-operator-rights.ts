import {
  apiServers,
  clusterCSIDrivers,
  clusterOperators,
  configMaps,
  csiDrivers,
  deployments,
  events,
  infrastructures,
  type KubernetesObject,
  leases,
  namespaces,
  nodes,
  type PolicyRule,
  pods,
  proxies,
  type ResourceType,
  secrets,
  storages,
} from "@stowage/machinery";
import { keepRules } from "../../csi-driver/rights/object-rules.ts";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import {
  clusterObjectName,
  driversNamespace,
  storageClusterOperator,
  storageOperatorLease,
  storageOperatorName,
  storageOperatorNamespace,
} from "../names.ts";
import type { Rights } from "./role-objects.ts";

export interface StorageRightsInput {
  readonly entries: readonly Pick<DriverOperatorEntry, "driverName" | "operatorName">[];
  /** All that it applies for the operators of drivers, but their Deployments and ClusterCSIDrivers. */
  readonly objects: readonly KubernetesObject[];
}

/** The proxy before an operator's metrics asks the API server who is asking, and whether they may. */
export const metricsProxyRules: readonly PolicyRule[] = [
  mayAll({ group: "authentication.k8s.io", plural: "tokenreviews" }, "create"),
  mayAll({ group: "authorization.k8s.io", plural: "subjectaccessreviews" }, "create"),
];

/**
 * What the storage operator does itself. What it may grant to the operators of drivers it must have besides: `rightsGrantedBy` their
 * roles. To let it `escalate` instead would let it grant itself everything.
 */
export function storageOperatorRights({ entries, objects }: StorageRightsInput): Rights {
  const places = [...new Set([driversNamespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])])];
  const kept = (place: string | undefined) =>
    objects
      .filter(({ metadata }) => metadata.namespace === place)
      .flatMap((object) => keepRules(object, { isDeleted: false }));
  const namespaced = places.map((place) => {
    const own = place === driversNamespace ? driversNamespaceRules(entries) : [];
    return [place, mergedRules([...own, ...kept(place)])] as const;
  });
  return {
    cluster: mergedRules([...clusterRules(entries), ...kept(undefined)]),
    namespaced: { [storageOperatorNamespace]: mergedRules(ownRules), ...Object.fromEntries(namespaced) },
  };
}

function clusterRules(entries: StorageRightsInput["entries"]): PolicyRule[] {
  const drivers = entries.map(({ driverName }) => driverName);
  const one = [clusterObjectName];
  return [
    mayNamed(storages, one, "list", "watch", "patch"),
    mayNamed(statusOf(storages), one, "patch"),
    mayAll(clusterCSIDrivers, "list", "watch", "create"),
    mayNamed(clusterCSIDrivers, drivers, "get"),
    ...[infrastructures, proxies, apiServers].map((type) => mayNamed(type, one, "list", "watch")),
    mayAll(clusterOperators, "create"),
    mayNamed(clusterOperators, [storageClusterOperator], "get", "list", "watch", "delete"),
    mayNamed(statusOf(clusterOperators), [storageClusterOperator], "update"),
    mayAll(csiDrivers, "list", "watch"),
    mayAll(nodes, "list", "watch"),
    // Names the cluster where no Infrastructure does.
    mayNamed(namespaces, ["kube-system"], "get"),
    // Whether somebody else makes serving certificates.
    mayNamed(deployments, ["service-ca"], "get"),
    ...metricsProxyRules,
  ];
}

function driversNamespaceRules(entries: StorageRightsInput["entries"]): PolicyRule[] {
  const operators = entries.map(({ operatorName }) => operatorName);
  return [
    mayAll(deployments, "list", "watch", "create"),
    mayNamed(deployments, operators, "get", "update"),
    // Why a rollout has failed.
    mayAll(pods, "list"),
    mayAll(secrets, "create"),
    mayNamed(secrets, operators.map(servingSecret), ...certificateVerbs),
  ];
}

/** Followed by name: no other Secret is anybody's business. */
const certificateVerbs = ["get", "list", "watch", "update", "delete"];

const ownRules: readonly PolicyRule[] = [
  mayAll(leases, "create"),
  mayNamed(leases, [storageOperatorLease], "get", "watch", "update"),
  mayAll(events, "create", "patch"),
  mayAll(secrets, "create"),
  mayNamed(secrets, [servingSecret(storageOperatorName), `${storageOperatorName}-serving-signer`], ...certificateVerbs),
  mayAll(configMaps, "create"),
  mayNamed(configMaps, [`${storageOperatorName}-serving-ca`], ...certificateVerbs),
];

function servingSecret(operatorName: string): string {
  return `${operatorName}-serving-cert`;
}

function statusOf({ group, plural }: Pick<ResourceType, "group" | "plural">) {
  return { group, plural: `${plural}/status` };
}
