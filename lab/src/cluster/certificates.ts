import { createPublicKey } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CertificateSubject,
  createAuthority,
  createKey,
  issueCertificate,
  type KeyPair,
  privateKeyPem,
  type Validity,
} from "@stowage/machinery/certificates";
import { writeFileAtomically } from "../files.ts";
import { addressRange } from "../node/address.ts";
import { renderKubeconfig } from "./kubeconfig.ts";
import { certificateFile, keyFile, kubeconfigFile, layoutOf } from "./layout.ts";
import { LOOPBACK } from "./settings.ts";

export const NODE_NAME = "lab";

/** The first address of the service range, which the API server gives to the service `kubernetes`. */
const KUBERNETES_SERVICE_ADDRESS = "10.96.0.1";

/** Every address that the lab may come to have, so that a change of level needs no new certificates. */
const machineNames = ["localhost", LOOPBACK, ...addressRange];

const serviceNames = [
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  KUBERNETES_SERVICE_ADDRESS,
];

/** Who a certificate is of, and where it is served. */
export type LabSubject = Pick<CertificateSubject, "commonName" | "organization" | "names">;

/** By authority, then by the name that the files get. etcd has its own authority: no Kubernetes user may read it. */
const subjects: Record<string, Record<string, LabSubject>> = {
  ca: {
    "kube-apiserver": { commonName: "kube-apiserver", names: [...machineNames, ...serviceNames] },
    admin: { commonName: "admin", organization: "system:masters" },
    "kube-controller-manager": { commonName: "system:kube-controller-manager", names: machineNames },
    "kube-scheduler": { commonName: "system:kube-scheduler", names: machineNames },
    "kube-proxy": { commonName: "system:kube-proxy" },
    kubelet: {
      commonName: `system:node:${NODE_NAME}`,
      organization: "system:nodes",
      names: [NODE_NAME, ...machineNames],
    },
    "front-proxy": { commonName: "front-proxy-client" },
  },
  "etcd-ca": {
    etcd: { commonName: "etcd", names: machineNames },
    "etcd-client": { commonName: "kube-apiserver" },
  },
};

/** A clock that is a little behind must not refuse a certificate made just now. */
const BACKDATED_MS = 60 * 60_000;

const kubeconfigUsers = ["admin", "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet"];

/** Makes all keys and certificates once; the folder appears whole or not at all. */
export function ensureCertificates(dir: string): void {
  const folder = layoutOf(dir).certificates;
  if (existsSync(folder)) return;
  const temporary = mkdtempSync(`${folder}.`);
  const validity = tenYears();
  for (const [authorityName, clients] of Object.entries(subjects)) {
    const authority = createAuthority(authorityName, validity);
    writePair(temporary, authorityName, authority);
    for (const [name, subject] of Object.entries(clients)) {
      writePair(temporary, name, issued(authority, subject, validity));
    }
  }
  const serviceAccountKey = createKey();
  writePrivately(join(temporary, "service-account.key"), privateKeyPem(serviceAccountKey));
  writePrivately(
    join(temporary, "service-account.pub"),
    String(createPublicKey(serviceAccountKey).export({ type: "spki", format: "pem" })),
  );
  renameSync(temporary, folder);
}

/** By the authority that the API server knows its clients by. */
export function issuePair(dir: string, subject: LabSubject): KeyPair {
  return issued(readPair(dir, "ca"), subject, tenYears());
}

/** Each component of Kubernetes is a client and a server at once. */
function issued(authority: KeyPair, subject: LabSubject, validity: Validity): KeyPair {
  return issueCertificate(authority, { ...subject, usages: ["server", "client"], validity });
}

function tenYears(): Validity {
  const fromMs = Date.now() - BACKDATED_MS;
  return { fromMs, untilMs: new Date(fromMs).setUTCFullYear(new Date(fromMs).getUTCFullYear() + 10) };
}

/** Written at each start: the server's address depends on the level. */
export function writeKubeconfigs(dir: string, server: string): void {
  const authority = readFileSync(certificateFile(dir, "ca"), "utf8");
  for (const user of kubeconfigUsers) {
    writeFileAtomically(
      kubeconfigFile(dir, user),
      renderKubeconfig({ server, authority, user, client: readPair(dir, user) }),
    );
  }
}

export function readPair(dir: string, name: string): KeyPair {
  return {
    certificate: readFileSync(certificateFile(dir, name), "utf8"),
    key: readFileSync(keyFile(dir, name), "utf8"),
  };
}

function writePair(folder: string, name: string, pair: KeyPair): void {
  writePrivately(join(folder, `${name}.crt`), pair.certificate);
  writePrivately(join(folder, `${name}.key`), pair.key);
}

function writePrivately(path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600 });
}
