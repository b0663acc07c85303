import {
  clusterCSIDrivers,
  configMaps,
  daemonSets,
  deployments,
  type Infrastructure,
  infrastructures,
  type OperatorSpec,
  secrets,
} from "@stowage/machinery";
import type { OperatorCluster } from "./operator-cluster.ts";

export const namespace = "openshift-cluster-csi-drivers";

const config = (kind: string, spec: object) => ({
  apiVersion: "config.openshift.io/v1",
  kind,
  metadata: { name: "cluster" },
  spec,
});

/** A cluster on OpenStack as its installer leaves it. */
export async function becomeOpenStack({ client, apply }: OperatorCluster): Promise<void> {
  await apply(
    config("Infrastructure", {
      platformSpec: { type: "OpenStack" },
      cloudConfig: { name: "cloud-provider-config", key: "config" },
    }),
    config("Proxy", {}),
    config("APIServer", {}),
  );
  const status: Infrastructure["status"] = {
    infrastructureName: "test-x7k2p",
    controlPlaneTopology: "HighlyAvailable",
    infrastructureTopology: "HighlyAvailable",
    platformStatus: { type: "OpenStack" },
  };
  const patch = { status };
  await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
  await client.create(configMaps, {
    metadata: { name: "cloud-provider-config", namespace: "openshift-config" },
    data: {
      config: "[Global]\nsecret-name = x\n[BlockStorage]\nrescan-on-resize = yes\n",
      "ca-bundle.pem": "authority",
      // There is no cloud to ask for its zones.
      enable_topology: "false",
    },
  });
  await client.create(secrets, {
    metadata: { name: "openstack-cloud-credentials", namespace },
    stringData: { "clouds.yaml": "clouds: {}" },
  });
}

export async function createDriver({ client }: OperatorCluster, name: string, spec: OperatorSpec = {}): Promise<void> {
  await client.create(clusterCSIDrivers, { metadata: { name }, spec: { managementState: "Managed", ...spec } });
}

/** What the controller manager would say of a Deployment all of whose Pods run. */
export async function becomeAvailable({ client }: OperatorCluster, name: string): Promise<void> {
  const { metadata, spec } = await client.get(deployments, { namespace, name });
  const count = spec?.replicas ?? 1;
  const status = {
    observedGeneration: metadata.generation,
    replicas: count,
    updatedReplicas: count,
    readyReplicas: count,
    availableReplicas: count,
  };
  const ref = { namespace, name };
  await client.patch(deployments, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}

/** Likewise of a DaemonSet on three nodes. */
export async function becomeAvailableOnNodes({ client }: OperatorCluster, name: string): Promise<void> {
  const { metadata } = await client.get(daemonSets, { namespace, name });
  const status = {
    observedGeneration: metadata.generation,
    currentNumberScheduled: 3,
    desiredNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberMisscheduled: 0,
    numberReady: 3,
    numberAvailable: 3,
  };
  const ref = { namespace, name };
  await client.patch(daemonSets, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}
