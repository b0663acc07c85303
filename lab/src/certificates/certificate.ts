import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { isIP } from "node:net";
import {
  bitString,
  booleanTrue,
  context,
  contextPrimitive,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from "./der.ts";

export interface CertificateSubject {
  readonly commonName: string;
  /** Kubernetes reads these as the user's groups. */
  readonly organization?: string;
  /** DNS names and IPv4 addresses of a server. */
  readonly names?: readonly string[];
}

export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const OID = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
  clientAuthentication: "1.3.6.1.5.5.7.3.2",
} as const;

const VALID_YEARS = 10;
/** A clock that is a little behind must not refuse a certificate made just now. */
const BACKDATED_MS = 60 * 60_000;

export function createKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

export function createAuthority(commonName: string): KeyPair {
  const key = createKey();
  const name = distinguishedName({ commonName });
  const extensions = [
    extension(OID.basicConstraints, sequence(booleanTrue()), true),
    extension(OID.keyUsage, bitString(Buffer.of(0b1000_0110), 1), true), // digitalSignature, keyCertSign, cRLSign
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(key)), false),
  ];
  return signed({ subject: name, issuer: name, key, issuerKey: key, extensions });
}

/** A certificate for a client and a server at once, as each Kubernetes component is both. */
export function createCertificate(authority: KeyPair, authorityName: string, subject: CertificateSubject): KeyPair {
  const key = createKey();
  const issuerKey = createPrivateKey(authority.key);
  const usages = [OID.serverAuthentication, OID.clientAuthentication].map(objectIdentifier);
  const extensions = [
    extension(OID.keyUsage, bitString(Buffer.of(0b1000_0000), 7), true), // digitalSignature
    extension(OID.extendedKeyUsage, sequence(...usages), false),
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(key)), false),
    extension(OID.authorityKeyIdentifier, sequence(contextPrimitive(0, keyIdentifier(issuerKey))), false),
  ];
  if (subject.names !== undefined) {
    extensions.push(extension(OID.subjectAlternativeName, sequence(...subject.names.map(generalName)), false));
  }
  const issuer = distinguishedName({ commonName: authorityName });
  return signed({ subject: distinguishedName(subject), issuer, key, issuerKey, extensions });
}

interface Unsigned {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly key: KeyObject;
  readonly issuerKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function signed({ subject, issuer, key, issuerKey, extensions }: Unsigned): KeyPair {
  const algorithm = sequence(objectIdentifier(OID.ecdsaWithSha256));
  const notBefore = new Date(Date.now() - BACKDATED_MS);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_YEARS);
  const version3 = context(0, integer(Buffer.of(2)));
  const body = sequence(
    version3,
    integer(randomBytes(16)),
    algorithm,
    issuer,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    subject,
    publicKeyInfo(key),
    context(3, sequence(...extensions)),
  );
  const certificate = sequence(body, algorithm, bitString(sign("sha256", body, issuerKey)));
  return { certificate: pem("CERTIFICATE", certificate), key: privateKeyPem(key) };
}

function distinguishedName({ commonName, organization }: CertificateSubject): Buffer {
  const attribute = (id: string, value: string) => set(sequence(objectIdentifier(id), utf8String(value)));
  const organizations = organization === undefined ? [] : [attribute(OID.organization, organization)];
  return sequence(...organizations, attribute(OID.commonName, commonName));
}

function extension(id: string, value: Buffer, isCritical: boolean): Buffer {
  return sequence(objectIdentifier(id), ...(isCritical ? [booleanTrue()] : []), octetString(value));
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

function generalName(name: string): Buffer {
  if (isIP(name) === 4) return contextPrimitive(IP_ADDRESS, Buffer.from(name.split(".").map(Number)));
  return contextPrimitive(DNS_NAME, Buffer.from(name));
}

/** RFC 5280's first method takes the bits of the key alone; the whole key information identifies a key as well. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha1").update(publicKeyInfo(key)).digest();
}

function publicKeyInfo(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

export function publicKeyPem(key: KeyObject): string {
  return String(createPublicKey(key).export({ type: "spki", format: "pem" }));
}

export function privateKeyPem(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
