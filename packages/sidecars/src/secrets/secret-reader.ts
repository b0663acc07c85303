import type { KubeClient } from "@stowage/kube";
import { secrets } from "@stowage/machinery";
import type { SecretRef } from "./secret-parameters.ts";

export type SecretData = Record<string, string>;

/** What the Secret holds, for one call to the driver; never kept. A missing Secret is the API's not-found error. */
export async function readSecret(client: Pick<KubeClient, "get">, ref: SecretRef | undefined): Promise<SecretData> {
  if (ref === undefined) return {};
  const { data = {} } = await client.get(secrets, ref);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decode(value)]));
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
