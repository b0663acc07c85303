import type { KubeClient } from "@stowage/kube";
import { clusterVersions, deployments, StowageError } from "@stowage/machinery";

export const clusterVersionName = "version";
/** Where version operators are, ours and OpenShift's. */
export const versionOperatorNamespace = "openshift-cluster-version";
/** The name that OpenShift's has too, so that never two of them act at once. */
export const versionOperatorLease = "version";
/** OpenShift's own. Ours must never have this name. */
export const foreignDeploymentName = "cluster-version-operator";
/** On `ClusterVersion/version`: it is kept by us. Renaming it makes every cluster look as if it were another's. */
export const ownerAnnotation = "stowage.dev/version-operator";

/**
 * Refuses a cluster that another version operator keeps: two of them would undo each other's work. That is one with OpenShift's
 * Deployment, or with a ClusterVersion that has a history and is not marked as ours. One without a history is nobody's yet, as when
 * it was made beforehand to say what is to be left alone.
 */
export async function refuseForeignCluster(client: Pick<KubeClient, "find">, signal?: AbortSignal): Promise<void> {
  const place = { namespace: versionOperatorNamespace, name: foreignDeploymentName };
  if ((await client.find(deployments, place, { signal })) !== undefined) {
    throw notOurs(`the Deployment ${foreignDeploymentName} is in the namespace ${versionOperatorNamespace}`);
  }
  const existing = await client.find(clusterVersions, { name: clusterVersionName }, { signal });
  if (existing === undefined || existing.metadata.annotations?.[ownerAnnotation] !== undefined) return;
  const [last] = existing.status?.history ?? [];
  if (last === undefined) return;
  throw notOurs(`ClusterVersion ${clusterVersionName} has a history (${last.version}) that is not ours`);
}

function notOurs(why: string): StowageError {
  return new StowageError("CLUSTER_VERSION_NOT_OURS", `another version operator keeps this cluster: ${why}`);
}
