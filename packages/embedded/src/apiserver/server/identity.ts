import {
  createAuthority,
  createKey,
  issueCertificate,
  type KeyPair,
  privateKeyPem,
} from "@stowage/machinery/certificates";

const dayMs = 24 * 3600 * 1000;
/** Clocks of clients may be a little behind. */
const slackMs = 5 * 60 * 1000;

/** What a cluster is known by for as long as it lives: whom it trusts, and what its tokens are signed with. */
export interface ClusterIdentity {
  readonly authority: KeyPair;
  /** PEM. */
  readonly tokenKey: string;
}

export function newIdentity(nowMs: number): ClusterIdentity {
  const validity = { fromMs: nowMs - slackMs, untilMs: nowMs + 3650 * dayMs };
  return { authority: createAuthority("kubernetes", validity), tokenKey: privateKeyPem(createKey()) };
}

/** What the server shows to its clients; made anew at each start. */
export function servingCertificate({ authority }: ClusterIdentity, host: string, nowMs: number): KeyPair {
  const inCluster = [
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ];
  const names = [...new Set(["localhost", "127.0.0.1", host, "10.96.0.1", ...inCluster])];
  return issueCertificate(authority, {
    commonName: "kube-apiserver",
    names,
    usages: ["server"],
    validity: oneYear(nowMs),
  });
}

export interface ClientName {
  readonly user: string;
  readonly group?: string;
  /** What it is called where it serves itself; it serves nothing when left out. */
  readonly serves?: string;
}

export const administrator: ClientName = { user: "kubernetes-admin", group: "system:masters" };
export const controllerManager: ClientName = { user: "system:kube-controller-manager" };
export const scheduler: ClientName = { user: "system:kube-scheduler" };
/** Whom a node's server lets in. To the API server it is nobody in particular. */
export const agentClient: ClientName = { user: "kube-apiserver-kubelet-client" };

/** Its one certificate is also what it shows to the API server, which asks it for logs and the like. */
export function nodeClient(name: string): ClientName {
  return { user: `system:node:${name}`, group: "system:nodes", serves: name };
}

export function clientCertificate(
  { authority }: Pick<ClusterIdentity, "authority">,
  { user, group, serves }: ClientName,
  nowMs: number,
): KeyPair {
  return issueCertificate(authority, {
    commonName: user,
    ...(group !== undefined && { organization: group }),
    ...(serves !== undefined && { names: [serves] }),
    usages: serves === undefined ? ["client"] : ["client", "server"],
    validity: oneYear(nowMs),
  });
}

function oneYear(nowMs: number) {
  return { fromMs: nowMs - slackMs, untilMs: nowMs + 365 * dayMs };
}
