import { createPrivateKey, X509Certificate } from "node:crypto";

const certificatePattern =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const privateKeyPattern = /-----BEGIN (?<kind>[A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/;

/** The certificates of a PEM text, whatever else stands in it (keys, comments). */
export function certificatesIn(pem: string): string[] {
  return pem.match(certificatePattern) ?? [];
}

/** Those of them that can be understood; one that cannot must not spoil a whole bundle. */
export function authoritiesIn(pem: string): string[] {
  return certificatesIn(pem).filter(isCertificate);
}

/** The first private key of a PEM text: a kubelet keeps its certificate and key in one file. */
export function privateKeyIn(pem: string): string | undefined {
  return privateKeyPattern.exec(pem)?.[0];
}

/** What is wrong with a bundle of authorities, if anything. */
export function authorityComplaint(pem: string): string | undefined {
  if (certificatesIn(pem).length === 0) {
    return "holds no PEM certificate";
  }
  return authoritiesIn(pem).length > 0 ? undefined : "holds no certificate that can be understood";
}

export function certificateComplaint(pem: string): string | undefined {
  const [leaf] = certificatesIn(pem);
  if (leaf === undefined) {
    return "holds no PEM certificate";
  }
  return isCertificate(leaf) ? undefined : "holds a certificate that cannot be understood";
}

export function privateKeyComplaint(pem: string): string | undefined {
  const key = privateKeyIn(pem);
  if (key === undefined) {
    return "holds no PEM private key";
  }
  if (key.includes("ENCRYPTED")) {
    return "holds a private key that is encrypted by a passphrase; Kubernetes clients need it without";
  }
  try {
    createPrivateKey(key);
    return undefined;
  } catch {
    // OpenSSL's own words are not passed on: they say little, and the input is a secret.
    return "holds a private key that cannot be understood";
  }
}

/** Both must have passed the checks above. */
export function belongTogether(certificatePem: string, keyPem: string): boolean {
  const [leaf = ""] = certificatesIn(certificatePem);
  return new X509Certificate(leaf).checkPrivateKey(createPrivateKey(privateKeyIn(keyPem) ?? ""));
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).serialNumber !== "";
  } catch {
    return false;
  }
}
