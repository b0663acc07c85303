import { configMaps, type Infrastructure, infrastructures, type PlatformStatus, secrets } from "@stowage/machinery";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { namespace } from "../../operators/driver-operator/platform.ts";

/** The cluster's Infrastructure, as the installer for this platform leaves it. */
export async function becomePlatform(
  { client, apply }: OperatorCluster,
  platformStatus: PlatformStatus & { type: NonNullable<PlatformStatus["type"]> },
): Promise<void> {
  const config = (kind: string, spec: object) => ({
    apiVersion: "config.openshift.io/v1",
    kind,
    metadata: { name: "cluster" },
    spec,
  });
  // A platform does not change, and the API server holds everybody to it: the cluster is another one.
  if ((await client.find(infrastructures, { name: "cluster" })) !== undefined) {
    await client.delete(infrastructures, { name: "cluster" });
  }
  await apply(
    config("Infrastructure", { platformSpec: { type: platformStatus.type } }),
    config("Proxy", {}),
    config("APIServer", {}),
  );
  const status: Infrastructure["status"] = {
    infrastructureName: "test-x7k2p",
    controlPlaneTopology: "HighlyAvailable",
    infrastructureTopology: "HighlyAvailable",
    platformStatus,
  };
  const patch = { status };
  await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
}

export async function createSecret(
  { client }: OperatorCluster,
  name: string,
  stringData: Record<string, string>,
): Promise<void> {
  await client.create(secrets, { metadata: { name, namespace }, stringData });
}

export async function createConfigMap(
  { client }: OperatorCluster,
  ref: { readonly name: string; readonly namespace: string },
  data: Record<string, string>,
): Promise<void> {
  await client.create(configMaps, { metadata: ref, data });
}
