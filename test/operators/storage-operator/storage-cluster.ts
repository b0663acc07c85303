import { isNotFound } from "@stowage/kube";
import {
  type ClusterOperator,
  clusterCSIDrivers,
  clusterOperators,
  csiDrivers,
  type DeploymentCondition,
  deployments,
  type Infrastructure,
  infrastructures,
  type KubernetesObject,
  nodes,
  type OperatorCondition,
  type OperatorSpec,
  type Pod,
  pods,
  type ResourceType,
  type Storage,
  storages,
} from "@stowage/machinery";
import { driversNamespace } from "@stowage/operators/cluster-storage";
import { allDefinitions, type OperatorCluster, startOperatorCluster } from "../driver-operator/operator-cluster.ts";
import { payload } from "./payload.ts";

/** A real API server with the storage operator's payload applied, but for its Deployment: there is no kubelet to run it. */
export interface StorageCluster extends OperatorCluster {
  /** Takes away what an earlier platform has left, and makes the cluster one of this Infrastructure; without one when left out. */
  become(infrastructure?: { spec: Infrastructure["spec"]; status?: Infrastructure["status"] }): Promise<void>;
  storage(): Promise<Storage>;
  configure(spec: OperatorSpec): Promise<void>;
  /** `FooAvailable=True/Reason`, sorted. */
  storageConditions(): Promise<string[]>;
  storageMessage(type: string): Promise<string | undefined>;
  clusterOperator(): Promise<ClusterOperator | undefined>;
  /** `Available=True/Reason` */
  clusterOperatorConditions(): Promise<string[]>;
  /** What a driver's operator would say. */
  report(driverName: string, conditions: Readonly<Record<string, "True" | "False">>): Promise<void>;
  /** What Kubernetes would say of a Deployment, of the drivers' namespace when no other is named: nobody rolls any out here. */
  setRollout(name: string, condition: DeploymentCondition, namespace?: string): Promise<void>;
  /** One that belongs to the Deployment. */
  createPod(deployment: string, status: Pod["status"]): Promise<void>;
}

/** `objects`: what is there before the operator runs, when that is not the whole payload. */
export async function startStorageCluster(
  objects: readonly KubernetesObject[] = payload(),
  options: Parameters<typeof startOperatorCluster>[0] = {},
): Promise<StorageCluster> {
  const cluster = await startOperatorCluster(options);
  const { client } = cluster;
  await cluster.install(...allDefinitions);
  const isLeftOut = ({ kind }: KubernetesObject) => ["Deployment", "ClusterOperator", "Storage"].includes(kind);
  await cluster.apply(...objects.filter((object) => !isLeftOut(object)));
  const storage = () => client.get(storages, { name: "cluster" });
  const clusterOperator = () => client.find(clusterOperators, { name: "storage" });
  const listed = (conditions: readonly OperatorCondition[] = []) =>
    conditions.map(({ type, status, reason = "" }) => `${type}=${status}/${reason}`).toSorted();
  return {
    ...cluster,
    async become(infrastructure) {
      await clear(cluster);
      await client.create(storages, { metadata: { name: "cluster" }, spec: { managementState: "Managed" } });
      if (infrastructure === undefined) return;
      const { spec, status } = infrastructure;
      await client.create(infrastructures, { metadata: { name: "cluster" }, spec });
      const patch = { status: { infrastructureTopology: "HighlyAvailable", ...status } };
      await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
    },
    storage,
    configure: async (spec) =>
      void (await client.patch(storages, { name: "cluster" }, { type: "merge", patch: { spec } })),
    storageConditions: async () => listed((await storage()).status?.conditions),
    storageMessage: async (type) =>
      (await storage()).status?.conditions?.find((condition) => condition.type === type)?.message,
    clusterOperator,
    clusterOperatorConditions: async () => listed((await clusterOperator())?.status?.conditions),
    report: (driverName, conditions) => report(cluster, driverName, conditions),
    setRollout: (name, condition, namespace = driversNamespace) => setRollout(cluster, { namespace, name }, condition),
    createPod: (deployment, status) => createPod(cluster, deployment, status),
  };
}

const disposable: readonly ResourceType[] = [
  storages,
  clusterOperators,
  clusterCSIDrivers,
  csiDrivers,
  infrastructures,
  nodes,
] as readonly ResourceType[];

async function clear({ client }: OperatorCluster): Promise<void> {
  for (const type of disposable) {
    for (const { metadata } of (await client.list<KubernetesObject>(type)).items) {
      await client.delete(type, { name: metadata.name ?? "" }).catch(ignoreMissing);
    }
  }
  const { items } = await client.list(deployments, { namespace: driversNamespace });
  for (const { metadata } of items) {
    await client.delete(deployments, { namespace: driversNamespace, name: metadata.name ?? "" }).catch(ignoreMissing);
  }
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function report(
  { client }: OperatorCluster,
  name: string,
  conditions: Readonly<Record<string, "True" | "False">>,
): Promise<void> {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/u, "");
  const list = Object.entries(conditions).map(([type, status]) => ({ type, status, lastTransitionTime }));
  const object = { metadata: { name }, status: { conditions: list } };
  const options = { fieldManager: "driver", force: true, subresource: "status" };
  await client.apply<KubernetesObject>(clusterCSIDrivers, object, options);
}

async function setRollout(
  { client }: OperatorCluster,
  ref: { readonly namespace: string; readonly name: string },
  condition: DeploymentCondition,
): Promise<void> {
  const { metadata, spec } = await client.get(deployments, ref);
  const { replicas = 1 } = spec ?? {};
  const count = condition.status === "True" ? replicas : 0;
  const counts = { replicas, updatedReplicas: replicas, availableReplicas: count, readyReplicas: count };
  const status = { observedGeneration: metadata.generation, ...counts, conditions: [condition] };
  await client.patch(deployments, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}

export const rolledOut: DeploymentCondition = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };

async function createPod({ client }: OperatorCluster, deployment: string, status: Pod["status"]): Promise<void> {
  const ref = { namespace: driversNamespace, name: `${deployment}-x` };
  const containers = [{ name: deployment, image: "registry.test/any:1" }];
  await client.create(pods, {
    metadata: { ...ref, labels: { name: deployment } },
    spec: { schedulerName: "nobody", containers },
  });
  await client.patch(pods, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}

export const openStack = {
  spec: { platformSpec: { type: "OpenStack" }, cloudConfig: { name: "" } },
  status: {
    infrastructureName: "test-x7k2p",
    controlPlaneTopology: "HighlyAvailable",
    platformStatus: { type: "OpenStack" },
  },
} as const;
