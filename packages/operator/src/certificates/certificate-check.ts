import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyPair, Validity } from "@stowage/machinery/certificates";

export function readCertificate(pem: string | undefined): X509Certificate | undefined {
  if (pem === undefined || pem === "") return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // Whatever it is, it has to be made anew.
  }
}

const certificatePem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** Of a bundle; what cannot be read is left out. */
export function readBundle(bundle: string | undefined): X509Certificate[] {
  return (bundle?.match(certificatePem) ?? []).map(readCertificate).filter((each) => each !== undefined);
}

export function isPair({ certificate, key }: KeyPair): boolean {
  try {
    return readCertificate(certificate)?.checkPrivateKey(createPrivateKey(key)) ?? false;
  } catch {
    return false;
  }
}

export function validityOf(certificate: X509Certificate): Validity {
  return { fromMs: certificate.validFromDate.getTime(), untilMs: certificate.validToDate.getTime() };
}

/** After four fifths of its life: then there is time left to find out why it was not renewed. */
export function renewalTimeMs({ fromMs, untilMs }: Validity): number {
  return fromMs + (untilMs - fromMs) * 0.8;
}

export function dnsNamesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName.split(", ").flatMap((entry) => (entry.startsWith("DNS:") ? [entry.slice(4)] : []));
}

/** Signed by it, and not merely in its name. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
