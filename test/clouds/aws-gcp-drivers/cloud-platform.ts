import {
  type Infrastructure,
  infrastructures,
  type KubernetesObject,
  type PlatformStatus,
  secrets,
} from "@stowage/machinery";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { namespace } from "../../operators/driver-operator/platform.ts";

const config = (kind: string, spec: object): KubernetesObject =>
  ({ apiVersion: "config.openshift.io/v1", kind, metadata: { name: "cluster" }, spec }) as KubernetesObject;

export const clusterId = "test-x7k2p";

/** A cluster on a cloud as its installer leaves it; of the cloud that the test before was on, nothing is left. */
export async function becomeCloud(
  cluster: OperatorCluster,
  platformStatus: PlatformStatus,
  credentials: string,
): Promise<void> {
  const { client } = cluster;
  const { type } = platformStatus;
  const isThere = (await client.find(infrastructures, { name: "cluster" })) !== undefined;
  if (isThere) await client.delete(infrastructures, { name: "cluster" });
  const platform = config("Infrastructure", { platformSpec: { type } });
  await cluster.apply(platform, config("Proxy", {}), config("APIServer", {}));
  await sayOfCloud(cluster, platformStatus);
  const metadata = { name: credentials, namespace };
  await client.create(secrets, { metadata, stringData: { credentials: "[default]" } });
}

/** What the Infrastructure says, from now on. */
export async function sayOfCloud({ client }: OperatorCluster, platformStatus: PlatformStatus): Promise<void> {
  const status: Infrastructure["status"] = {
    infrastructureName: clusterId,
    controlPlaneTopology: "HighlyAvailable",
    infrastructureTopology: "HighlyAvailable",
    platformStatus,
  };
  const ref = { name: "cluster" };
  await client.patch(infrastructures, ref, { type: "merge", patch: { status } }, { subresource: "status" });
}
