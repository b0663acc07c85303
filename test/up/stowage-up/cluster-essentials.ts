import type { KubeClient } from "@stowage/kube";
import {
  type ClusterOperator,
  clusterOperators,
  csiDrivers,
  customResourceDefinitions,
  daemonSets,
  deployments,
  type KubernetesObject,
  namespaces,
  type Pod,
  persistentVolumeClaims,
  pods,
  type ResourceType,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  storageClasses,
  volumeSnapshotClasses,
} from "@stowage/machinery";

const kinds: readonly ResourceType[] = [
  csiDrivers,
  customResourceDefinitions,
  daemonSets,
  deployments,
  namespaces,
  persistentVolumeClaims,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  storageClasses,
  volumeSnapshotClasses,
];

/** Of Kubernetes itself: what is in there is each control plane's own. */
const isForeign = ({ metadata: { name = "", namespace = name } }: KubernetesObject) =>
  ["default", "kube-system", "kube-public", "kube-node-lease"].includes(namespace);

/** What there is in a cluster, and how storage is, without what differs between any two clusters. */
export async function clusterEssentials(client: KubeClient): Promise<string[]> {
  const lists = await Promise.all(
    kinds.map(async (type) => {
      const { items } = await client.list<KubernetesObject>(type);
      return items.filter((object) => !isForeign(object)).map((object) => `${type.kind} ${nameOf(object)}`);
    }),
  );
  const { status } = await client.get(clusterOperators, { name: "storage" });
  return [...lists.flat(), ...(await runningContainers(client)), ...conditionsOf(status)].toSorted();
}

/** Whether nothing is under way any more: storage is well, and every container of every Pod is ready. */
export async function isAtRest(client: KubeClient): Promise<boolean> {
  const { status } = await client.get(clusterOperators, { name: "storage" });
  const isWell = ["Available=True", "Progressing=False", "Degraded=False"].every((each) =>
    (status?.conditions ?? []).some(({ type, status: is }) => `${type}=${is}` === each),
  );
  const { items } = await client.list(pods);
  const isLasting = ({ metadata, status: of }: Pod) =>
    metadata.deletionTimestamp === undefined && (of?.containerStatuses ?? []).every(({ ready }) => ready);
  return isWell && items.every(isLasting);
}

/** Pods have names of chance; what they are of has not. */
async function runningContainers(client: KubeClient): Promise<string[]> {
  const { items } = await client.list(pods);
  return items.flatMap(({ metadata, spec, status }) =>
    (spec?.containers ?? []).map(
      ({ name }) => `container ${metadata.namespace}/${metadata.labels?.["app"] ?? ""} ${name} ${status?.phase}`,
    ),
  );
}

function conditionsOf(status: ClusterOperator["status"]): string[] {
  return (status?.conditions ?? []).map(({ type, status: is }) => `storage ${type}=${is}`);
}

function nameOf({ metadata: { name, namespace } }: KubernetesObject): string {
  return namespace === undefined ? (name ?? "") : `${namespace}/${name}`;
}
