import {
  apiServers,
  cloudCredentials,
  clusterCSIDrivers,
  configMaps,
  credentialsRequests,
  customResourceDefinitions,
  daemonSets,
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
  proxies,
  type ResourceType,
  secrets,
  storageClasses,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { type Asset, parseManifests, replacePlaceholders } from "@stowage/operator";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import {
  credentialsOf,
  type DriverAssets,
  type DriverPlace,
  driverPlaceholders,
  type StaticAsset,
} from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import { servingPlan } from "../operator/serving-controller.ts";
import { leftoverRules, usageRules } from "../removal/index.ts";
import { grantedRules, type PlacedRules } from "./granted-rules.ts";
import { keepRules, removeRules } from "./object-rules.ts";

/** All that the operator of a driver has to be allowed: what its tests run with, and what is deployed. */
export interface DriverOperatorRules {
  /** Of a ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** Of a Role in each of these namespaces, some of which not every cluster has. */
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

export const copyVerbs = ["list", "watch"] as const;

export function driverOperatorRules(
  profile: DriverProfile,
  assets: DriverAssets,
  /** Where the operator itself is. */
  operatorNamespace: string = profile.namespace,
): DriverOperatorRules {
  const statics = [...assets.controlPlane, ...assets.guest, { asset: assets.csiDriver, mode: undefined }].flatMap(
    ({ asset, mode, isLeftover = false }: StaticAsset) =>
      objectsOf(profile, asset).map((object) => ({ object, isOfOneMode: mode !== undefined, isLeftover })),
  );
  const isDeleted = (isOfOneMode: boolean) => profile.isRemovable || (isOfOneMode && profile.sidecars.length > 1);
  const placed: PlacedRules[] = [
    {
      namespace: undefined,
      rules: [
        ...ownResourceRules(profile),
        ...factRules(profile, assets),
        ...classRules(profile, assets),
        ...usageRules(profile),
      ],
    },
    ...requestRules(profile, assets),
    {
      namespace: profile.namespace,
      rules: [...workloadRules(profile, assets), ...servingRules(profile, assets), ...leftoverRules(profile, assets)],
    },
    { namespace: operatorNamespace, rules: processRules(profile) },
    ...statics.map(({ object, isOfOneMode, isLeftover }) => ({
      namespace: object.metadata.namespace,
      rules: isLeftover ? removeRules(object) : keepRules(object, { isDeleted: isDeleted(isOfOneMode) }),
    })),
    ...grantedRules(statics.filter(({ isLeftover }) => !isLeftover).map(({ object }) => object)),
    ...Object.entries(profile.ownRules ?? {}).map(([namespace, rules]) => ({ namespace, rules })),
    { namespace: undefined, rules: profile.ownClusterRules ?? [] },
  ];
  const rulesIn = (wanted: string | undefined) =>
    mergedRules(placed.filter(({ namespace }) => namespace === wanted).flatMap(({ rules }) => rules));
  const places = [...new Set(placed.map(({ namespace }) => namespace))].filter((place) => place !== undefined);
  return {
    cluster: rulesIn(undefined),
    namespaced: Object.fromEntries(places.toSorted().map((place) => [place, rulesIn(place)])),
  };
}

/** Read and watched, its status said, what is observed and the finalizers written into it; never made or deleted. */
function ownResourceRules({ driverName, isRemovable }: DriverProfile): PolicyRule[] {
  const status = { ...clusterCSIDrivers, plural: `${clusterCSIDrivers.plural}/status` };
  return [
    mayNamed(clusterCSIDrivers, [driverName], ...copyVerbs, "patch", ...(isRemovable ? ["get"] : [])),
    mayNamed(status, [driverName], "patch"),
  ];
}

const clusterFactRules: readonly PolicyRule[] = [
  ...[infrastructures, proxies, apiServers].map((type) => mayNamed(type, ["cluster"], ...copyVerbs)),
  mayAll(nodes, ...copyVerbs),
  // Names the cluster where no Infrastructure does.
  mayNamed(namespaces, ["kube-system"], "get"),
  // Whether a service CA runs without its operator.
  mayNamed(deployments, ["service-ca"], "get"),
];

function factRules({ readsFeatureGates }: DriverProfile, { credentials }: DriverAssets): PolicyRule[] {
  return [
    ...clusterFactRules,
    ...(readsFeatureGates ? [mayNamed(featureGates, ["cluster"], ...copyVerbs)] : []),
    // In which mode credentials are given out.
    ...(credentials.length === 0 ? [] : [mayNamed(cloudCredentials, ["cluster"], ...copyVerbs)]),
  ];
}

/** Of the requests for credentials, wherever those who hear them look. */
function requestRules(profile: DriverProfile, { credentials }: DriverAssets): PlacedRules[] {
  const removal = profile.isRemovable ? ["delete"] : [];
  return credentialsOf(profile, credentials).map(({ request: { metadata } }) => ({
    namespace: metadata.namespace,
    rules: [
      mayAll(credentialsRequests, "create"),
      mayNamed(credentialsRequests, [metadata.name ?? ""], "get", ...copyVerbs, "update", ...removal),
    ],
  }));
}

function classRules(profile: DriverProfile, { storageClasses: own, snapshotClasses }: DriverAssets): PolicyRule[] {
  const namesOf = (assets: readonly Asset[]) => assets.flatMap((asset) => objectsOf(profile, asset)).map(nameOf);
  const definition = `${volumeSnapshotClasses.plural}.${volumeSnapshotClasses.group}`;
  return [
    ...(own.length === 0
      ? []
      : [
          mayAll(storageClasses, ...copyVerbs, "create"),
          mayNamed(storageClasses, namesOf(own), "get", "update", "delete"),
        ]),
    ...(snapshotClasses.length === 0
      ? []
      : [
          mayAll(volumeSnapshotClasses, ...copyVerbs, "create"),
          mayNamed(
            volumeSnapshotClasses,
            namesOf(snapshotClasses),
            "update",
            ...(profile.isRemovable ? ["delete"] : []),
          ),
          mayNamed(customResourceDefinitions, [definition], ...copyVerbs),
        ]),
  ];
}

function workloadRules(profile: DriverProfile, { controller, node, companions }: DriverAssets): PolicyRule[] {
  const [mode] = profile.sidecars;
  const workload = (type: ResourceType, asset: Asset | undefined) => [
    mayAll(type, ...copyVerbs),
    ...(asset === undefined
      ? []
      : [mayAll(type, "create"), mayNamed(type, objectsOf(profile, asset).map(nameOf), "get", "update", "delete")]),
  ];
  return [
    ...workload(deployments, controller?.[mode]),
    ...workload(daemonSets, node[mode]),
    ...(profile.companions ?? []).flatMap(({ kind, asset }) =>
      workload(
        kind === "Deployment" ? deployments : daemonSets,
        companions.find(({ name }) => name === asset),
      ),
    ),
    // Why those of a rollout that failed do not start.
    mayAll(pods, "list"),
  ];
}

/** Certificates, and to know of all Secrets and ConfigMaps of the namespace: one watch is less than one for each. */
export function servingRules(
  profile: Pick<DriverProfile, "assetPrefix"> & DriverPlace,
  assets: DriverAssets,
): PolicyRule[] {
  const { authoritySecret, bundleConfigMap, requests } = servingPlan(profile, assets);
  const copies = [secrets, configMaps].map((type) => mayAll(type, ...copyVerbs));
  if (requests.length === 0) return copies;
  const kept = ["get", "update", "delete"] as const;
  return [
    ...copies,
    mayAll(secrets, "create"),
    mayNamed(secrets, [authoritySecret, ...requests.map(({ secret }) => secret)], ...kept),
    mayAll(configMaps, "create"),
    mayNamed(configMaps, [bundleConfigMap], ...kept),
  ];
}

/** Of any operator: to lead, and to tell people. */
export function processRules({ operatorName }: DriverProfile): PolicyRule[] {
  return [
    mayAll(leases, "create"),
    mayNamed(leases, [`${operatorName}-lock`], "get", "watch", "update"),
    mayAll(events, "create", "patch"),
  ];
}

export function objectsOf(place: DriverPlace, asset: Asset): KubernetesObject[] {
  return parseManifests({ name: asset.name, text: replacePlaceholders(asset.text, driverPlaceholders(place)) });
}

export function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? "";
}
