import {
  clusterCSIDrivers,
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type KubernetesObject,
  type OperatorCondition,
  type Pod,
  pods,
  type ResourceType,
  storages,
} from "@stowage/machinery";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { failedDeployment, rolledOutDeployment } from "./rollout-status.ts";

interface Ref {
  readonly namespace: string;
  readonly name: string;
}

type Mend = () => Promise<void>;

/** A rollout whose new Pod cannot get its image, until Kubernetes has lost patience. Returns what mends it. */
export async function failRollout(cluster: OperatorCluster, ref: Ref): Promise<Mend> {
  const { client } = cluster;
  const deployment = await client.get(deployments, ref);
  const setStatus = (status: Deployment["status"]) =>
    client.patch(deployments, ref, { type: "merge", patch: { status } }, { subresource: "status" });
  const takePodAway = await addStuckPod(cluster, deployment);
  await setStatus(failedDeployment(deployment));
  return async () => {
    await takePodAway();
    await setStatus(rolledOutDeployment(deployment));
  };
}

/**
 * Likewise on a node. The rollout has begun and is held: Kubernetes says nothing of a DaemonSet but how many Pods it has, so that only
 * the time tells. That of the driver's word that it is progressing is put back by as much.
 */
export async function failNodes(cluster: OperatorCluster, ref: Ref, driverName: string): Promise<Mend> {
  const takePodAway = await addStuckPod(cluster, await cluster.client.get(daemonSets, ref));
  const isProgress = ({ type }: OperatorCondition) => type.endsWith("NodeServiceControllerProgressing");
  await age(cluster, { type: clusterCSIDrivers, name: driverName }, isProgress, 15 * 60_000);
  return takePodAway;
}

async function addStuckPod({ client }: OperatorCluster, workload: Workload): Promise<Mend> {
  const { namespace = "", name } = workload.metadata;
  const podRef = { namespace, name: `${name}-x` };
  await client.create(pods, podOf(workload, podRef));
  const patch = { status: waitingForImage(workload) };
  await client.patch(pods, podRef, { type: "merge", patch }, { subresource: "status" });
  return async () => void (await client.delete(pods, podRef, { gracePeriodSeconds: 0 }));
}

type Workload = Deployment | DaemonSet;

/** With what the workload selects it by; nobody is to place it. */
function podOf({ spec }: Workload, ref: Ref): Pod {
  const containers = [{ name: "any", image: "registry.test/any:1" }];
  const metadata = { ...ref, labels: spec?.template.metadata?.labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { schedulerName: "nobody", containers } };
}

function waitingForImage({ spec }: Workload): Pod["status"] {
  const { name = "", image = "" } = spec?.template.spec?.containers[0] ?? {};
  const waiting = { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` };
  const status = { name, image, imageID: "", ready: false, restartCount: 0, state: { waiting } };
  return { phase: "Pending", containerStatuses: [status] };
}

/** A degradation counts at the ClusterOperator when it is two minutes old: this makes all of the Storage's that old. */
export async function ageDegradations(cluster: OperatorCluster): Promise<void> {
  const isDegradation = ({ type, status }: OperatorCondition) => type.endsWith("Degraded") && status === "True";
  await age(cluster, { type: storages, name: "cluster" }, isDegradation, 120_000);
}

interface Conditioned {
  readonly status?: { readonly conditions?: readonly OperatorCondition[] };
}

/** Makes conditions a little older than this. */
async function age(
  { client }: OperatorCluster,
  { type, name }: { readonly type: ResourceType; readonly name: string },
  isMeant: (condition: OperatorCondition) => boolean,
  ageMs: number,
): Promise<void> {
  const { status } = (await client.get<KubernetesObject>(type, { name })) as Conditioned;
  const lastTransitionTime = new Date(Date.now() - ageMs - 1_000).toISOString().replace(/\.\d+/u, "");
  const patch = (status?.conditions ?? []).flatMap((condition, index) => {
    if (!isMeant(condition)) return [];
    const path = `/status/conditions/${index}`;
    return [
      { op: "test", path: `${path}/type`, value: condition.type },
      { op: "replace", path: `${path}/lastTransitionTime`, value: lastTransitionTime },
    ];
  });
  await client.patch<KubernetesObject>(type, { name }, { type: "json", patch }, { subresource: "status" });
}
