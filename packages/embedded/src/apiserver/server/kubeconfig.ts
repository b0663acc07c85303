import type { KeyPair } from "@stowage/machinery/certificates";
import { dump } from "js-yaml";

export interface KubeconfigContent {
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  /** The first is who one is unless one says otherwise. */
  readonly clients: readonly KubeconfigClient[];
}

export interface KubeconfigClient {
  readonly user: string;
  readonly client: KeyPair;
}

/** Certificates and keys are inside, so that the one file can be copied to where it is needed. */
export function kubeconfigText({ server, authority, clients }: KubeconfigContent): string {
  const cluster = "stowage";
  const contexts = clients.map(({ user }) => {
    return { name: clients.length === 1 ? cluster : contextName(user), context: { cluster, user } };
  });
  return dump({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: { server, "certificate-authority-data": base64(authority) } }],
    users: clients.map(({ user, client: { certificate, key } }) => {
      return { name: user, user: { "client-certificate-data": base64(certificate), "client-key-data": base64(key) } };
    }),
    contexts,
    "current-context": contexts[0]?.name ?? "",
  });
}

/** `kube-scheduler` for `system:kube-scheduler`. */
function contextName(user: string): string {
  return user.replace(/^system:/u, "");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
