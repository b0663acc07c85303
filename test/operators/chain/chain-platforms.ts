import { type Infrastructure, infrastructures, namespaces } from "@stowage/machinery";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { becomeOpenStack } from "../driver-operator/platform.ts";

/** What an installer has left before the first operator runs, for the driver of that platform. */
export const platforms = {
  async "openstack-cinder"(cluster: OperatorCluster): Promise<void> {
    for (const name of ["openshift-config", "openshift-cluster-csi-drivers"]) {
      await cluster.client.create(namespaces, { metadata: { name } });
    }
    await becomeOpenStack(cluster);
  },

  async local({ client }: OperatorCluster): Promise<void> {
    const name = "cluster";
    const spec: Infrastructure["spec"] = { platformSpec: { type: "External", external: { platformName: "local" } } };
    await client.create(infrastructures, { metadata: { name }, spec });
    const status: Infrastructure["status"] = {
      infrastructureName: "test-9d3fk",
      controlPlaneTopology: "SingleReplica",
      infrastructureTopology: "SingleReplica",
      platformStatus: { type: "External" },
    };
    await client.patch(infrastructures, { name }, { type: "merge", patch: { status } }, { subresource: "status" });
  },
} as const;
