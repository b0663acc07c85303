import type { KeyPair } from "@stowage/machinery/certificates";
import { dump } from "js-yaml";

export interface KubeconfigContent {
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly user: string;
  readonly client: KeyPair;
}

/** Certificates and key are inside, so that the one file can be copied to where it is needed. */
export function kubeconfigText({ server, authority, user, client }: KubeconfigContent): string {
  const name = "stowage";
  return dump({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": base64(authority) } }],
    users: [
      {
        name: user,
        user: { "client-certificate-data": base64(client.certificate), "client-key-data": base64(client.key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
