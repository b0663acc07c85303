import type { Informer, InformerFactory } from "@stowage/kube";
import {
  type CSIDriver,
  type CSINode,
  type CSIStorageCapacity,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  type Namespace,
  type Node,
  namespaces,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type PodDisruptionBudget,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  type ReplicaSet,
  type ReplicationController,
  replicaSets,
  replicationControllers,
  type Service,
  type StatefulSet,
  type StorageClass,
  services,
  statefulSets,
  storageClasses,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import { isPodFinished } from "../kit/index.ts";
import type { ExpectedPods } from "./snapshot/expected-pods.ts";
import { type KinSources, kinOf } from "./snapshot/kin.ts";
import { nodeState } from "./snapshot/node-state.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";
import type { AssumedObjects } from "./volumes/assumed-objects.ts";
import type { StorageView } from "./volumes/storage-view.ts";

/** All that the scheduler watches. */
export interface ClusterView {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly namespaces: Informer<Namespace>;
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly drivers: Informer<CSIDriver>;
  readonly csiNodes: Informer<CSINode>;
  readonly capacities: Informer<CSIStorageCapacity>;
  readonly attachments: Informer<VolumeAttachment>;
  readonly services: Informer<Service>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly statefulSets: Informer<StatefulSet>;
  readonly replicationControllers: Informer<ReplicationController>;
}

const podsByNode = "scheduler/podsByNode";
const servicesByNamespace = "scheduler/servicesByNamespace";
const attachmentsByNode = "scheduler/attachmentsByNode";

export function clusterView(informers: InformerFactory): ClusterView {
  const view = {
    pods: informers.informer(pods),
    nodes: informers.informer(nodes),
    namespaces: informers.informer(namespaces),
    budgets: informers.informer(podDisruptionBudgets),
    claims: informers.informer(persistentVolumeClaims),
    volumes: informers.informer(persistentVolumes),
    classes: informers.informer(storageClasses),
    drivers: informers.informer(csiDrivers),
    csiNodes: informers.informer(csiNodes),
    capacities: informers.informer(csiStorageCapacities),
    attachments: informers.informer(volumeAttachments),
    services: informers.informer(services),
    replicaSets: informers.informer(replicaSets),
    statefulSets: informers.informer(statefulSets),
    replicationControllers: informers.informer(replicationControllers),
  };
  view.pods.addIndex(podsByNode, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
  view.services.addIndex(servicesByNamespace, ({ metadata }) => [metadata.namespace ?? ""]);
  view.attachments.addIndex(attachmentsByNode, ({ spec }) => [spec.nodeName]);
  return view;
}

export interface Assumed {
  readonly pods: ExpectedPods;
  readonly claims: AssumedObjects<PersistentVolumeClaim>;
  readonly volumes: AssumedObjects<PersistentVolume>;
}

/** The cluster as it is, and will be once all that was decided is written. `turn` says which node comes first. */
export function takeSnapshot(view: ClusterView, assumed: Assumed, turn: number): Snapshot {
  const all = view.nodes.objects.list();
  const kin = kinSources(view);
  const first = all.length === 0 ? 0 : turn % all.length;
  return {
    nodes: [...all.slice(first), ...all.slice(0, first)].map((node) => {
      const { name = "" } = node.metadata;
      const known = view.pods.objects.byIndex(podsByNode, name).filter((pod) => !isPodFinished(pod));
      return nodeState(node, [...known, ...assumed.pods.assumedOn(name)]);
    }),
    storage: storageView(view, assumed),
    labelsOfNamespace: (name) => view.namespaces.objects.getByKey(name)?.metadata.labels ?? {},
    kinOf: (pod) => kinOf(pod, kin),
  };
}

function kinSources({ services: known, replicaSets: sets, ...view }: ClusterView): KinSources {
  return {
    services: (namespace) => known.objects.byIndex(servicesByNamespace, namespace),
    selectorOf(kind, key) {
      if (kind === "ReplicaSet") return sets.objects.getByKey(key)?.spec?.selector;
      if (kind === "StatefulSet") return view.statefulSets.objects.getByKey(key)?.spec?.selector;
      if (kind !== "ReplicationController") return undefined;
      return { matchLabels: view.replicationControllers.objects.getByKey(key)?.spec?.selector ?? {} };
    },
  };
}

function storageView(view: ClusterView, { claims, volumes }: Assumed): StorageView {
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    volumes: () => volumes.list(),
    storageClass: (name) => view.classes.objects.getByKey(name),
    driver: (name) => view.drivers.objects.getByKey(name),
    csiNode: (nodeName) => view.csiNodes.objects.getByKey(nodeName),
    capacities: () => view.capacities.objects.list(),
    attachmentsOn: (nodeName) => view.attachments.objects.byIndex(attachmentsByNode, nodeName),
  };
}
