import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIPv4 } from "node:net";
import { bits, moment, objectId, octets, retagged, sequence, set, tagged, text, wholeNumber, yes } from "./der.ts";

/** Both as PEM. The key must get to whom it is for and nowhere else. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Validity {
  readonly fromMs: number;
  readonly untilMs: number;
}

export type CertificateUsage = "server" | "client";

export interface CertificateSubject {
  readonly commonName: string;
  /** Kubernetes reads it as the user's group. */
  readonly organization?: string;
  /** DNS names and IPv4 addresses of a server. */
  readonly names?: readonly string[];
  readonly usages: readonly CertificateUsage[];
  readonly validity: Validity;
}

const id = {
  commonName: objectId("2.5.4.3"),
  organization: objectId("2.5.4.10"),
  ecdsaWithSha256: objectId("1.2.840.10045.4.3.2"),
  subjectKey: objectId("2.5.29.14"),
  keyUsage: objectId("2.5.29.15"),
  alternativeNames: objectId("2.5.29.17"),
  basicConstraints: objectId("2.5.29.19"),
  authorityKey: objectId("2.5.29.35"),
  extendedKeyUsage: objectId("2.5.29.37"),
} as const;

const usageIds: Readonly<Record<CertificateUsage, Buffer>> = {
  server: objectId("1.3.6.1.5.5.7.3.1"),
  client: objectId("1.3.6.1.5.5.7.3.2"),
};

/** The usages of a key, by bit from the left. */
const DIGITAL_SIGNATURE = 0b1000_0000;
const CERTIFICATE_AND_REVOCATION_SIGN = 0b0000_0110;
const DNS_NAME = 2;
const IP_ADDRESS = 7;
/** Longer ones are refused by who reads them. */
const MAX_COMMON_NAME = 64;

/** An authority that signs itself, and may sign servers and clients but no further authorities. */
export function createAuthority(commonName: string, validity: Validity): KeyPair {
  const key = createKey();
  const name = nameOf({ commonName });
  const extensions = [
    extension(id.basicConstraints, sequence(yes(), wholeNumber(Buffer.of(0))), "critical"),
    extension(id.keyUsage, bits(Buffer.of(CERTIFICATE_AND_REVOCATION_SIGN), 1), "critical"),
    extension(id.subjectKey, octets(keyIdentifier(key))),
  ];
  return signed({ subject: name, issuer: name, key, issuerKey: key, validity, extensions });
}

/** A certificate that may be used for what it says, and that signs no other. */
export function issueCertificate(authority: KeyPair, subject: CertificateSubject): KeyPair {
  const { names = [], usages, validity } = subject;
  const key = createKey();
  const issuerKey = createPrivateKey(authority.key);
  const extensions = [
    extension(id.basicConstraints, sequence(), "critical"),
    extension(id.keyUsage, bits(Buffer.of(DIGITAL_SIGNATURE), 7), "critical"),
    extension(id.extendedKeyUsage, sequence(...usages.map((usage) => usageIds[usage]))),
    extension(id.subjectKey, octets(keyIdentifier(key))),
    extension(id.authorityKey, sequence(retagged(0, keyIdentifier(issuerKey)))),
    ...(names.length === 0 ? [] : [extension(id.alternativeNames, sequence(...names.map(alternativeName)))]),
  ];
  const issuer = nameOf({ commonName: commonNameOf(authority) });
  return signed({ subject: nameOf(subject), issuer, key, issuerKey, validity, extensions });
}

export function createKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

export function privateKeyPem(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

interface Draft {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly key: KeyObject;
  readonly issuerKey: KeyObject;
  readonly validity: Validity;
  readonly extensions: readonly Buffer[];
}

function signed({ subject, issuer, key, issuerKey, validity, extensions }: Draft): KeyPair {
  const algorithm = sequence(id.ecdsaWithSha256);
  const content = sequence(
    tagged(0, wholeNumber(Buffer.of(2))), // X.509 version 3
    wholeNumber(serialNumber()),
    algorithm,
    issuer,
    sequence(moment(validity.fromMs), moment(validity.untilMs)),
    subject,
    publicKeyInfo(key),
    tagged(3, sequence(...extensions)),
  );
  const certificate = sequence(content, algorithm, bits(sign("sha256", content, issuerKey)));
  return { certificate: pem(certificate), key: privateKeyPem(key) };
}

/** Never zero, and of no more than 20 bytes. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes;
}

function nameOf({ commonName, organization }: Pick<CertificateSubject, "commonName" | "organization">): Buffer {
  const attribute = (which: Buffer, value: string) => set(sequence(which, text(value)));
  const organizations = organization === undefined ? [] : [attribute(id.organization, organization)];
  return sequence(...organizations, attribute(id.commonName, commonName.slice(0, MAX_COMMON_NAME)));
}

/** Our authorities have a common name and nothing else. */
function commonNameOf({ certificate }: KeyPair): string {
  return new X509Certificate(certificate).toLegacyObject().subject.CN as string;
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return retagged(IP_ADDRESS, Buffer.from(name.split(".").map(Number)));
  return retagged(DNS_NAME, Buffer.from(name));
}

function extension(which: Buffer, value: Buffer, weight?: "critical"): Buffer {
  return sequence(which, ...(weight === "critical" ? [yes()] : []), octets(value));
}

/** RFC 5280's first method takes the bits of the key alone; the whole key information identifies a key as well. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha1").update(publicKeyInfo(key)).digest();
}

function publicKeyInfo(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
