import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

const block = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/gu;

/** Why a certificate and a key are no pair, as Go's TLS says it; undefined when they are one. */
export function keyPairProblem(certificateText: string, keyText: string): string | undefined {
  const certificates = blocksOf(certificateText);
  const found = certificates.find(([type]) => type === "CERTIFICATE");
  if (found === undefined) return missingProblem(certificates, "certificate");
  const keys = blocksOf(keyText);
  const key = keys.find(([type]) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (key === undefined) return missingKeyProblem(keys);
  const certificate = attempt(() => new X509Certificate(found[1]));
  if (certificate === undefined) return "x509: malformed certificate";
  const privateKey = attempt((): KeyObject => createPrivateKey(key[1]));
  if (privateKey === undefined) return "tls: failed to parse private key";
  return certificate.checkPrivateKey(privateKey) ? undefined : "tls: private key does not match public key";
}

function blocksOf(text: string): [type: string, text: string][] {
  return [...text.matchAll(block)].map(([whole, type = ""]) => [type, whole]);
}

function missingProblem(blocks: readonly (readonly [string, string])[], what: string): string {
  if (blocks.length === 0) return `tls: failed to find any PEM data in ${what} input`;
  const types = blocks.map(([type]) => type);
  if (types.length === 1 && types[0]?.endsWith("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  const skipped = `after skipping PEM blocks of the following types: [${types.join(" ")}]`;
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input ${skipped}`;
}

function missingKeyProblem(blocks: readonly (readonly [string, string])[]): string {
  if (blocks.length === 0) return missingProblem(blocks, "key");
  const types = blocks.map(([type]) => type);
  if (types.length === 1 && types[0] === "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    // Whatever is wrong with it, it cannot be read.
    return undefined;
  }
}
