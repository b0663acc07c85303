import type { DiscoveredResource, ServerResources } from "@stowage/kube";
import {
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  configMaps,
  credentialsRequests,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  customResourceDefinitions,
  daemonSets,
  deployments,
  events,
  infrastructures,
  leases,
  mutatingWebhookConfigurations,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type ResourceType,
  replicaSets,
  serviceAccounts,
  services,
  storageClasses,
  storages,
  validatingWebhookConfigurations,
  volumeAttachments,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";

/** Which resources are gathered. Secrets are not among them: these come first, and by themselves. */
export interface GatherPlan {
  /** All of their objects. */
  readonly clusterScoped: readonly ResourceType[];
  /** All of their objects, in whatever namespace. */
  readonly everywhere: readonly ResourceType[];
  /** In the namespaces of the chain. */
  readonly inNamespaces: readonly ResourceType[];
}

/** Where operators and drivers are; further ones are named by the ClusterOperator, and on the command line. */
export const chainNamespaces = [
  "openshift-cluster-version",
  "openshift-cluster-storage-operator",
  "openshift-cluster-csi-drivers",
  "openshift-config",
] as const;

/** Their cluster-scoped resources say how storage is, or decide about it. */
const groups: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "config.openshift.io",
  "groupsnapshot.storage.k8s.io",
  "operator.openshift.io",
  "rbac.authorization.k8s.io",
  "scheduling.k8s.io",
  "security.openshift.io",
  "snapshot.storage.k8s.io",
  "storage.k8s.io",
]);
const coreResources: ReadonlySet<string> = new Set(["nodes", "persistentvolumes"]);

/** Of what users have, what has to do with storage. */
const everywhere: ReadonlySet<string> = new Set([
  "credentialsrequests.cloudcredential.openshift.io",
  "csistoragecapacities.storage.k8s.io",
  "persistentvolumeclaims",
  "volumegroupsnapshots.groupsnapshot.storage.k8s.io",
  "volumesnapshots.snapshot.storage.k8s.io",
]);
/** There too, but not all of them, or not all of each. */
const partlyEverywhere: ReadonlySet<string> = new Set(["events", "pods"]);

/** Nothing of their own, or the same objects by another name. */
const leftOut: ReadonlySet<string> = new Set(["componentstatuses", "events.events.k8s.io", "secrets"]);
const leftOutGroups: ReadonlySet<string> = new Set(["metrics.k8s.io", "packages.operators.coreos.com"]);

export function resourceName({ plural, group }: Pick<ResourceType, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

export function gatherPlan(server: ServerResources): GatherPlan {
  const found = server.groups
    .filter(({ name }) => !leftOutGroups.has(name))
    .flatMap(({ versions }) => ofFirstVersion(versions.flatMap(({ resources }) => resources)))
    .filter((type) => type.verbs.includes("list") && !leftOut.has(resourceName(type)));
  return planOf(found);
}

/** Where the server cannot say what it has, it is asked for what it ought to have. */
export function assumedPlan(): GatherPlan {
  return planOf(assumed);
}

function planOf(types: readonly ResourceType[]): GatherPlan {
  const isEverywhere = (type: ResourceType) => everywhere.has(resourceName(type));
  const isPartly = (type: ResourceType) => partlyEverywhere.has(resourceName(type));
  const isOfChain = ({ group, plural }: ResourceType) => (group === "" ? coreResources.has(plural) : groups.has(group));
  return {
    clusterScoped: types.filter((type) => !type.namespaced && isOfChain(type)),
    everywhere: types.filter((type) => isEverywhere(type) || isPartly(type)),
    inNamespaces: types.filter((type) => type.namespaced && !isEverywhere(type)),
  };
}

/** The preferred version of a group comes first; a few resources are in another one alone. */
function ofFirstVersion(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const byPlural = new Map<string, DiscoveredResource>();
  for (const resource of resources) if (!byPlural.has(resource.plural)) byPlural.set(resource.plural, resource);
  return [...byPlural.values()];
}

const assumed = [
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  configMaps,
  credentialsRequests,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  customResourceDefinitions,
  daemonSets,
  deployments,
  events,
  infrastructures,
  leases,
  mutatingWebhookConfigurations,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  replicaSets,
  serviceAccounts,
  services,
  storageClasses,
  storages,
  validatingWebhookConfigurations,
  volumeAttachments,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
];
