import type { KeyPair } from "@stowage/machinery/certificates";

export interface KubeconfigContent {
  readonly server: string;
  readonly authority: string;
  readonly user: string;
  readonly client: KeyPair;
}

/** Certificates and key are inside, so that the one file can be copied to where it is needed. */
export function renderKubeconfig({ server, authority, user, client }: KubeconfigContent): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: lab
    cluster:
      server: ${server}
      certificate-authority-data: ${base64(authority)}
users:
  - name: ${user}
    user:
      client-certificate-data: ${base64(client.certificate)}
      client-key-data: ${base64(client.key)}
contexts:
  - name: lab
    context:
      cluster: lab
      user: ${user}
current-context: lab
`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
