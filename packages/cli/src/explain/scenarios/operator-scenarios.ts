import { clusterCSIDrivers, infrastructures, type ManagementState, namespaces, storages } from "@stowage/machinery";
import { createStorageOperator } from "@stowage/operators/cluster-storage";
import { createDriverOperator, loadDriverProfile } from "@stowage/operators/csi-driver";
import type { ExplainCluster } from "../fixtures/explain-cluster.ts";
import { runOperator } from "../fixtures/running-operator.ts";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";

export const cinder = "cinder.csi.openstack.org";
const driversNamespace = "openshift-cluster-csi-drivers";

/** A cluster on OpenStack with the real operators of storage and of Cinder, and no nodes. */
export async function startOperators(
  { client }: ExplainCluster,
  stack: AsyncDisposableStack,
  { hasNamespace = true } = {},
): Promise<void> {
  for (const name of [...(hasNamespace ? [driversNamespace] : []), "openshift-cluster-storage-operator"]) {
    await client.create(namespaces, { metadata: { name } });
  }
  const platform = { type: "OpenStack" } as const;
  await client.create(infrastructures, {
    metadata: { name: "cluster" },
    spec: { platformSpec: platform, cloudConfig: { name: "" } },
  });
  const topology = { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" };
  const patch = { status: { infrastructureName: "shop", ...topology, platformStatus: platform } };
  await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
  await client.create(storages, { metadata: { name: "cluster" }, spec: { managementState: "Managed" } });
  await client.create(clusterCSIDrivers, { metadata: { name: cinder }, spec: { managementState: "Managed" } });
  const profile = await loadDriverProfile("openstack-cinder");
  stack.use(await runOperator(client, driversNamespace, (deps) => createDriverOperator(deps, profile)));
  stack.use(await runOperator(client, "openshift-cluster-storage-operator", (deps) => createStorageOperator(deps)));
}

/** The driver's operator cannot do its work. */
export const failingDriverOperator: Scenario = {
  cause: "DRIVER_OPERATOR_DEGRADED",
  when: "the namespace of the drivers is gone",
  make: claimOfCinder,
  evidence:
    /ClusterCSIDriver cinder\.csi\.openstack\.org status\.conditions\[\w+Degraded\] .*openshift-cluster-csi-drivers/u,
  mend: /kubectl get clustercsidriver cinder\.csi\.openstack\.org -o yaml/u,
};

export const operatorScenarios: readonly Scenario[] = [
  {
    cause: "STORAGE_OPERATOR_DEGRADED",
    when: "the storage operator was given no images",
    make: claimOfCinder,
    evidence: /Storage cluster status\.conditions\[\w+Degraded\] /u,
    mend: /stowage status/u,
  },
  {
    cause: "SIDECAR_UNSCHEDULABLE",
    when: "the controller that the operator deployed has no node",
    make: claimOfCinder,
    isFurther: true,
    evidence:
      /Deployment openshift-cluster-csi-drivers\/openstack-cinder-csi-driver-controller status\.availableReplicas 0/u,
    mend: /kubectl get nodes/u,
  },
  {
    cause: "DRIVER_UNMANAGED",
    when: "the driver's operator is to keep its hands off",
    async make(scene) {
      await manage(scene, "Unmanaged");
      return claimOfCinder(scene);
    },
    isFurther: true,
    evidence: /ClusterCSIDriver cinder\.csi\.openstack\.org spec\.managementState Unmanaged/u,
    mend: /kubectl patch clustercsidriver cinder\.csi\.openstack\.org --type=merge .*Managed/u,
  },
  {
    cause: "DRIVER_REMOVED",
    when: "an administrator has the driver removed",
    async make(scene) {
      await manage(scene, "Removed");
      return claimOfCinder(scene);
    },
    evidence: /ClusterCSIDriver cinder\.csi\.openstack\.org spec\.managementState Removed/u,
    mend: /kubectl patch clustercsidriver cinder\.csi\.openstack\.org --type=merge .*"Managed"/u,
  },
];

async function claimOfCinder(scene: Scene): Promise<readonly ["pvc", string]> {
  await scene.claim("data", { storageClassName: await scene.storageClass(cinder) });
  return ["pvc", "data"];
}

async function manage({ client }: Scene, managementState: ManagementState): Promise<void> {
  await client.patch(clusterCSIDrivers, { name: cinder }, { type: "merge", patch: { spec: { managementState } } });
}
