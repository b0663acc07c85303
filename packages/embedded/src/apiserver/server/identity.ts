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
}

export function clientCertificate({ authority }: ClusterIdentity, { user, group }: ClientName, nowMs: number): KeyPair {
  const organization = group === undefined ? {} : { organization: group };
  return issueCertificate(authority, {
    commonName: user,
    ...organization,
    usages: ["client"],
    validity: oneYear(nowMs),
  });
}

function oneYear(nowMs: number) {
  return { fromMs: nowMs - slackMs, untilMs: nowMs + 365 * dayMs };
}
