import { clusterCSIDrivers, configMaps, secrets } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";
import { loadDriverProfile } from "@stowage/operators/csi-driver";
import { type TlsFront, tlsFront } from "../../clouds/openstack/tls-front.ts";
import { type ShareCloud, startShareCloud } from "../../platforms/platforms/share-cloud.ts";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";

export const powervsCredentials = "storage-creds";
/** What their operators need beside the images that all have. */
export const hostedDrivers: readonly { readonly id: string; readonly env?: Readonly<Record<string, string>> }[] = [
  { id: "azure-disk", env: { CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE: "registry.test/ccmo:1" } },
  { id: "azure-file", env: { CLUSTER_CLOUD_CONTROLLER_MANAGER_OPERATOR_IMAGE: "registry.test/ccmo:1" } },
  { id: "openstack-manila", env: { NFS_DRIVER_IMAGE: "registry.test/nfs:1" } },
  { id: "powervs-block" },
];

/** A cloud with shares, whose certificate only those trust who were told its authority. */
export interface HostedCloud extends AsyncDisposable {
  readonly authority: string;
  readonly cloudsText: string;
}

export async function startHostedCloud(): Promise<HostedCloud> {
  const shares: ShareCloud = await startShareCloud(["default"]);
  const front: TlsFront = tlsFront();
  const clouds = JSON.parse(shares.cloudsText) as { clouds: { openstack: { auth: { auth_url: string } } } };
  const { auth } = clouds.clouds.openstack;
  auth.auth_url = await front.before(auth.auth_url);
  return {
    authority: front.authority,
    cloudsText: JSON.stringify(clouds),
    async [Symbol.asyncDispose]() {
      await Promise.all([front, shares].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

/** What HyperShift puts beside the control planes of several clouds, as if all were one, and into their guests. */
export async function becomeHosted(
  { client }: OperatorCluster,
  { namespace, cloud }: { readonly namespace: string; readonly cloud: HostedCloud },
): Promise<void> {
  const powervs = {
    zone: "dal10",
    serviceInstanceID: "guest-workspace",
    storageOperatorCloudCreds: { name: powervsCredentials },
  };
  const spec = { nodeSelector: { role: "cp" }, platform: { powervs } };
  await client.create(hostedControlPlanes, { metadata: { name: "guest", namespace }, spec });
  const secret = (name: string, stringData: Record<string, string>) =>
    client.create(secrets, { metadata: { name, namespace }, stringData });
  await secret("azure-disk-csi-config", { "cloud.conf": "{}" });
  await secret("azure-file-csi-config", { "cloud.conf": "{}" });
  await secret("manila-cloud-credentials", { "clouds.yaml": cloud.cloudsText });
  await secret(powervsCredentials, { ibmcloud_api_key: "key-1" });
  await client.create(configMaps, {
    metadata: { name: "openstack-cloud-config", namespace },
    data: { "ca-bundle.pem": cloud.authority },
  });
  // In the guest, for its nodes.
  await client.create(configMaps, {
    metadata: { name: "cloud-provider-config", namespace: "openshift-config" },
    data: { config: "{}", "ca-bundle.pem": cloud.authority },
  });
  for (const { id } of hostedDrivers) {
    const { driverName } = await loadDriverProfile(id);
    await client.create(clusterCSIDrivers, { metadata: { name: driverName }, spec: { managementState: "Managed" } });
  }
}
