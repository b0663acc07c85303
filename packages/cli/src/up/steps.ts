import {
  type ClusterOperator,
  type CSINode,
  clusterOperators,
  csiNodes,
  daemonSets,
  deployments,
  type Node as KubernetesNode,
  type KubernetesObject,
  nodes,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  type ResourceType,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import type { ControlPlaneId } from "./control-plane/index.ts";
import { demo } from "./demo-objects.ts";
import type { PlatformDriver } from "./platforms/index.ts";

/** Something on the way from nothing to storage that works, and how to tell that it has been reached. */
export interface Step {
  readonly id: string;
  /** What a person reads. */
  readonly text: string;
  readonly type: ResourceType;
  readonly selection: { readonly namespace?: string; readonly fieldSelector?: string };
  isDone(objects: readonly KubernetesObject[], awaited: AwaitedCluster): boolean;
}

/** What of a cluster counts as there. */
export interface AwaitedCluster {
  readonly nodeCount: number;
  /** Containers that were started before are not there any more, whatever is still said of them. */
  readonly sinceMs: number;
}

interface StepOf<T extends KubernetesObject> extends Omit<Step, "type" | "isDone"> {
  readonly type: ResourceType<T>;
  isDone(objects: readonly T[], awaited: AwaitedCluster): boolean;
}

function step<T extends KubernetesObject>(of: StepOf<T>): Step {
  return of;
}

const driversNamespace = "openshift-cluster-csi-drivers";

/** In the order in which each makes the next possible. */
export function stepsTo(driver: PlatformDriver): readonly Step[] {
  return [...operatorSteps(driver), ...driverSteps(driver)];
}

const clusterTexts: Readonly<Record<ControlPlaneId, string>> = {
  embedded: "the embedded cluster has its nodes",
  kubernetes: "Kubernetes runs and has its nodes",
};

/** Before all others. */
export function clusterStep(controlPlane: ControlPlaneId): Step {
  return step<KubernetesNode>({
    id: "cluster",
    text: clusterTexts[controlPlane],
    type: nodes,
    selection: {},
    isDone: (found, { nodeCount }) => found.filter(isReady).length >= nodeCount,
  });
}

// Each operator by what it has done: one whose metrics are not served yet has done it all the same.
function operatorSteps({ operatorName, nodeName }: PlatformDriver): readonly Step[] {
  return [
    step({
      id: "version-operator",
      text: "the version operator applies the payload",
      type: deployments,
      selection: named("openshift-cluster-storage-operator", "cluster-storage-operator"),
      isDone: isThere,
    }),
    step({
      id: "storage-operator",
      text: "the storage operator finds the platform",
      type: deployments,
      selection: named(driversNamespace, operatorName),
      isDone: isThere,
    }),
    step({
      id: "driver-operator",
      text: "the driver's operator installs it",
      type: daemonSets,
      selection: named(driversNamespace, nodeName),
      isDone: isThere,
    }),
  ];
}

function driverSteps({ name }: PlatformDriver): readonly Step[] {
  return [
    step<CSINode>({
      id: "driver",
      text: "driver and sidecars run on every node",
      type: csiNodes,
      selection: {},
      isDone: (found, { nodeCount }) => found.filter((node) => hasDriver(node, name)).length >= nodeCount,
    }),
    step<StorageClass>({
      id: "class",
      text: "there is a default StorageClass",
      type: storageClasses,
      selection: {},
      isDone: (found) => found.some(isDefaultClass),
    }),
  ];
}

/** The demonstration. */
export const demoSteps: readonly Step[] = [
  step<PersistentVolumeClaim>({
    id: "claim",
    text: `PVC ${demo.claim} is bound to a volume`,
    type: persistentVolumeClaims,
    selection: named(demo.namespace, demo.claim),
    isDone: (found) => found.some(({ status }) => status?.phase === "Bound"),
  }),
  step<Pod>({
    id: "pod",
    text: `Pod ${demo.pod} has written to its volume`,
    type: pods,
    selection: named(demo.namespace, demo.pod),
    isDone: (found, { sinceMs }) => found.some((pod) => isReadyPod(pod) && runsSince(pod, sinceMs)),
  }),
];

/** Said once everything works: operators look for a moment whether it stays so. */
export const lastStep: Step = step<ClusterOperator>({
  id: "available",
  text: "ClusterOperator storage is available",
  type: clusterOperators,
  selection: { fieldSelector: "metadata.name=storage" },
  isDone: (found) => found.some(({ status }) => hasCondition(status?.conditions, "Available")),
});

function isThere(found: readonly KubernetesObject[]): boolean {
  return found.length > 0;
}

function named(namespace: string, name: string) {
  return { namespace, fieldSelector: `metadata.name=${name}` };
}

type Conditions = readonly { readonly type: string; readonly status: string }[] | undefined;

function hasCondition(conditions: Conditions, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}

function isReady({ status }: KubernetesNode): boolean {
  return hasCondition(status?.conditions, "Ready");
}

function isReadyPod({ status, metadata }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined && status?.phase === "Running" && hasCondition(status.conditions, "Ready")
  );
}

/** Times have whole seconds. */
function runsSince({ status }: Pod, sinceMs: number): boolean {
  const starts = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
  return starts.length > 0 && starts.every((startMs) => startMs + 1_000 > sinceMs);
}

/** An empty list comes back from the server as none at all. */
function hasDriver({ spec }: CSINode, driverName: string): boolean {
  const drivers: CSINode["spec"]["drivers"] | null = spec.drivers;
  return drivers?.some(({ name }) => name === driverName) ?? false;
}

function isDefaultClass({ metadata }: StorageClass): boolean {
  return metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
}
