import { isAlreadyExists } from "@stowage/kube";
import {
  clusterCSIDrivers,
  configMaps,
  credentialsRequests,
  infrastructures,
  type KubernetesObject,
  namespaces,
  nodes,
  secrets,
} from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { snapshotCrds } from "../../../packages/sidecars/src/snapshot-crds/index.ts";
import { monitoringDefinitions } from "../../operators/chain/chain.ts";
import { type OperatorCluster, startOperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import type { Clouds } from "./clouds.ts";
import type { GivenObject, Platform } from "./platform-table.ts";

/** An API server alone: nothing runs that would write by itself. On OpenShift it has the definitions that are there before any operator. */
export async function startEmptyCluster({ isOpenShift }: { readonly isOpenShift: boolean }): Promise<OperatorCluster> {
  const cluster = await startOperatorCluster({ level: "api" });
  if (isOpenShift) await cluster.install(...platformCrds, ...snapshotCrds, ...monitoringDefinitions);
  return cluster;
}

/** Makes of an empty cluster what an installer leaves on the platform, before the first operator runs. */
export async function becomePlatform(cluster: OperatorCluster, platform: Platform, clouds: Clouds): Promise<void> {
  const { infrastructure, providerIds, given = () => [] } = platform;
  if (infrastructure !== undefined) await becomeOpenShift(cluster, infrastructure);
  for (const [index, providerID] of (providerIds?.(clouds) ?? []).entries()) {
    const labels = { "node-role.kubernetes.io/control-plane": "" };
    await cluster.client.create(nodes, { metadata: { name: `node-${index}`, labels }, spec: { providerID } });
  }
  for (const each of given(clouds)) await give(cluster, each);
}

async function becomeOpenShift(
  cluster: OperatorCluster,
  { spec, status }: NonNullable<Platform["infrastructure"]>,
): Promise<void> {
  const { client } = cluster;
  const metadata = { name: "cluster" };
  await client.create(infrastructures, { metadata, spec });
  await client.patch(infrastructures, metadata, { type: "merge", patch: { status } }, { subresource: "status" });
  const config = (kind: string): KubernetesObject & { spec: object } => ({
    apiVersion: "config.openshift.io/v1",
    kind,
    metadata,
    spec: {},
  });
  await cluster.apply(config("Proxy"), config("APIServer"));
}

async function give({ client }: OperatorCluster, { kind, namespace, name, data }: GivenObject): Promise<void> {
  await unlessThere(client.create(namespaces, { metadata: { name: namespace } }));
  const metadata = { name, namespace };
  if (kind === "Secret") await client.create(secrets, { metadata, stringData: data });
  else await client.create(configMaps, { metadata, data });
}

/** As the administrator does who wants an optional driver. */
export async function askForDriver({ client }: OperatorCluster, name: string): Promise<void> {
  await unlessThere(client.create(clusterCSIDrivers, { metadata: { name }, spec: { managementState: "Managed" } }));
}

/** In the place of the operator that OpenShift has for it: says of every request that its Secret is there. */
export async function grantCredentials({ client }: OperatorCluster): Promise<void> {
  for (const { metadata, status } of (await client.list(credentialsRequests)).items) {
    if (status?.provisioned === true) continue;
    const { name = "", namespace } = metadata;
    const patch = { status: { provisioned: true, lastSyncGeneration: metadata.generation ?? 0 } };
    await client.patch(credentialsRequests, { name, namespace }, { type: "merge", patch }, { subresource: "status" });
  }
}

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
