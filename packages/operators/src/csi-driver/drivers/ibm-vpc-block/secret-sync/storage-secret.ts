import { type Secret, StowageError } from "@stowage/machinery";
import type { CloudConf } from "./cloud-conf.ts";

/** Made for the driver's CredentialsRequest. */
export const cloudCredentials = "ibm-cloud-credentials";
const API_KEY = "ibmcloud_api_key";
/** What Pods of the driver mount. Its name and its key are the driver's. */
export const driverCredentials = "storage-secret-store";
const FILE_NAME = "slclient.toml";

export function apiKeyOf({ metadata, data }: Secret): string {
  const value = data?.[API_KEY];
  if (value) return Buffer.from(value, "base64").toString("utf8");
  const where = `Secret ${metadata.namespace}/${metadata.name}`;
  throw new StowageError("CLOUD_CONFIG_INVALID", `${where} has no key ${API_KEY}`, {
    nextStep: `Put the API key for the cloud into this key of ${where}.`,
  });
}

export interface StorageSecretInput {
  readonly conf: CloudConf;
  readonly apiKey: string;
  readonly resourceGroupId: string;
  readonly namespace: string;
}

export function desiredStorageSecret({ conf, apiKey, resourceGroupId, namespace }: StorageSecretInput): Secret {
  const settings = {
    iam_client_id: "bx",
    iam_client_secret: "bx",
    g2_token_exchange_endpoint_url: conf.iamEndpoint,
    g2_riaas_endpoint_url: conf.vpcEndpoint,
    g2_resource_group_id: resourceGroupId,
    g2_api_key: apiKey,
    provider_type: "g2",
  };
  // A text of JSON is one of TOML too, whatever is in it.
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: driverCredentials, namespace },
    type: "Opaque",
    data: { [FILE_NAME]: Buffer.from(`[vpc]\n${lines.join("")}`).toString("base64") },
  };
}
