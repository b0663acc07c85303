import {
  apiServers,
  clusterCSIDrivers,
  clusterOperators,
  clusterRoles,
  configMaps,
  csiDrivers,
  deployments,
  events,
  featureGates,
  infrastructures,
  type KubernetesObject,
  leases,
  namespaces,
  nodes,
  type PolicyRule,
  pods,
  prometheusRules,
  proxies,
  type ResourceType,
  roles,
  secrets,
  storageClasses,
  storages,
  volumeAttributesClasses,
} from "@stowage/machinery";
import { keepRules } from "../../csi-driver/rights/object-rules.ts";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import {
  clusterObjectName,
  configNamespace,
  driversNamespace,
  selinuxConflictsName,
  storageClusterOperator,
  storageOperatorLease,
  storageOperatorName,
  storageOperatorNamespace,
} from "../names.ts";
import { validatorName } from "../populators/validator-assets.ts";
import {
  detectorAuthorities,
  detectorName,
  detectorRoles,
  detectorSecrets,
} from "../problem-detector/detector-assets.ts";
import { detectorConfigName } from "../problem-detector/detector-config.ts";
import type { Rights } from "./role-objects.ts";

const [detectorCredentials, detectorCertificate] = detectorSecrets;

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
  const places = [
    ...new Set([
      storageOperatorNamespace,
      configNamespace,
      driversNamespace,
      ...objects.flatMap(({ metadata }) => metadata.namespace ?? []),
    ]),
  ];
  const kept = (place: string | undefined) => keptIn(objects, place);
  const namespaced = places.map((place) => {
    const own = place === driversNamespace ? driversNamespaceRules(entries) : [];
    const config = place === configNamespace ? configRules() : [];
    const home = place === storageOperatorNamespace ? ownRules : [];
    return [place, mergedRules([...home, ...own, ...config, ...kept(place)])] as const;
  });
  return {
    cluster: mergedRules([...clusterRules(entries), ...kept(undefined)]),
    namespaced: Object.fromEntries(namespaced),
  };
}

/** To keep the objects of a namespace as they should be; undefined: of those in none. */
export function keptIn(objects: readonly KubernetesObject[], place: string | undefined): PolicyRule[] {
  return objects
    .filter(({ metadata }) => metadata.namespace === place)
    .flatMap((object) => keepRules(object, { isDeleted: false }));
}

function clusterRules(entries: StorageRightsInput["entries"]): PolicyRule[] {
  return [
    ...clusterStateRules(entries),
    mayNamed(apiServers, [clusterObjectName], "list", "watch"),
    // Whether somebody else makes serving certificates.
    mayNamed(deployments, ["service-ca"], "get"),
    mayNamed(clusterRoles, [detectorRoles.everywhere], "bind"),
    ...metricsProxyRules,
  ];
}

/** Of the cluster that is looked after, wherever operators are. */
export function clusterStateRules(entries: StorageRightsInput["entries"]): PolicyRule[] {
  const drivers = entries.map(({ driverName }) => driverName);
  const one = [clusterObjectName];
  return [
    mayNamed(storages, one, "list", "watch", "patch"),
    mayNamed(statusOf(storages), one, "patch"),
    mayAll(clusterCSIDrivers, "list", "watch", "create"),
    mayNamed(clusterCSIDrivers, drivers, "get"),
    ...[infrastructures, proxies, featureGates].map((type) => mayNamed(type, one, "list", "watch")),
    mayAll(clusterOperators, "create"),
    mayNamed(clusterOperators, [storageClusterOperator], "get", "list", "watch", "delete"),
    mayNamed(statusOf(clusterOperators), [storageClusterOperator], "update"),
    mayAll(csiDrivers, "list", "watch"),
    mayAll(nodes, "list", "watch"),
    // How many of them are the default.
    mayAll(storageClasses, "list", "watch"),
    // Whether those of a driver have the same parameters.
    mayAll(volumeAttributesClasses, "list", "watch"),
    // Names the cluster where no Infrastructure does.
    mayNamed(namespaces, ["kube-system"], "get"),
  ];
}

/** To keep the operators of drivers. */
export function driversNamespaceRules(entries: StorageRightsInput["entries"]): PolicyRule[] {
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

export const selinuxRule: PolicyRule = mayNamed(configMaps, [selinuxConflictsName], "list", "watch");

const configRules = (): PolicyRule[] => [selinuxRule, bindDetectorRole];

/** Followed by name: no other Secret is anybody's business. */
const certificateVerbs = ["get", "list", "watch", "update", "delete"];

/** Of the payload, so that its rights need not be held: the login to vCenter is among them. */
const bindDetectorRole = mayNamed(roles, [detectorRoles.inNamespaces], "bind");

/** What the problem detector restarts for, and what turns its alerts off. */
const detectorRules: readonly PolicyRule[] = [
  mayNamed(secrets, [detectorCredentials], "list", "watch"),
  mayNamed(secrets, [detectorCertificate], ...certificateVerbs),
  mayNamed(configMaps, [detectorAuthorities, detectorConfigName], "list", "watch"),
  mayNamed(prometheusRules, [detectorConfigName], "delete"),
  bindDetectorRole,
];

/** To lead, to tell people, and to have certificates: wherever the operator is. */
export const processRules: readonly PolicyRule[] = [
  mayAll(leases, "create"),
  mayNamed(leases, [storageOperatorLease], "get", "watch", "update"),
  mayAll(events, "create", "patch"),
  mayAll(secrets, "create"),
  mayNamed(secrets, [servingSecret(storageOperatorName), `${storageOperatorName}-serving-signer`], ...certificateVerbs),
  mayAll(configMaps, "create"),
  mayNamed(configMaps, [`${storageOperatorName}-serving-ca`], ...certificateVerbs),
];

const ownRules: readonly PolicyRule[] = [
  ...processRules,
  mayAll(deployments, "create"),
  mayNamed(deployments, [validatorName, detectorName], "get", "list", "watch", "update"),
  // Why its rollout has failed.
  mayAll(pods, "list"),
  ...detectorRules,
];

function servingSecret(operatorName: string): string {
  return `${operatorName}-serving-cert`;
}

function statusOf({ group, plural }: Pick<ResourceType, "group" | "plural">) {
  return { group, plural: `${plural}/status` };
}
