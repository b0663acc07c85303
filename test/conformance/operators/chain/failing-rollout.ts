import { type Deployment, deployments, type Pod, pods, storages } from "@stowage/machinery";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { failedDeployment, rolledOutDeployment } from "./rollout-status.ts";

interface Ref {
  readonly namespace: string;
  readonly name: string;
}

/** A rollout whose new Pod cannot get its image, until Kubernetes has lost patience. Returns what mends it. */
export async function failRollout({ client }: OperatorCluster, ref: Ref): Promise<() => Promise<void>> {
  const deployment = await client.get(deployments, ref);
  const podRef = { namespace: ref.namespace, name: `${ref.name}-x` };
  await client.create(pods, podOf(deployment, podRef));
  const setStatus = (status: Deployment["status"]) =>
    client.patch(deployments, ref, { type: "merge", patch: { status } }, { subresource: "status" });
  const patch = { status: waitingForImage(deployment) };
  await client.patch(pods, podRef, { type: "merge", patch }, { subresource: "status" });
  await setStatus(failedDeployment(deployment));
  return async () => {
    await client.delete(pods, podRef, { gracePeriodSeconds: 0 });
    await setStatus(rolledOutDeployment(deployment));
  };
}

/** With what the Deployment selects it by; nobody is to place it. */
function podOf({ spec }: Deployment, ref: Ref): Pod {
  const containers = [{ name: "any", image: "registry.test/any:1" }];
  const metadata = { ...ref, labels: spec?.template.metadata?.labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { schedulerName: "nobody", containers } };
}

function waitingForImage({ spec }: Deployment): Pod["status"] {
  const { name = "", image = "" } = spec?.template.spec?.containers[0] ?? {};
  const waiting = { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` };
  const status = { name, image, imageID: "", ready: false, restartCount: 0, state: { waiting } };
  return { phase: "Pending", containerStatuses: [status] };
}

/** A degradation counts at the ClusterOperator when it is two minutes old: this makes all of the Storage's that old. */
export async function ageDegradations({ client }: OperatorCluster): Promise<void> {
  const { status } = await client.get(storages, { name: "cluster" });
  const lastTransitionTime = new Date(Date.now() - 121_000).toISOString().replace(/\.\d+/u, "");
  const patch = (status?.conditions ?? []).flatMap(({ type, status: isSo }, index) => {
    if (!type.endsWith("Degraded") || isSo !== "True") return [];
    const path = `/status/conditions/${index}`;
    return [
      { op: "test", path: `${path}/type`, value: type },
      { op: "replace", path: `${path}/lastTransitionTime`, value: lastTransitionTime },
    ];
  });
  await client.patch(storages, { name: "cluster" }, { type: "json", patch }, { subresource: "status" });
}
