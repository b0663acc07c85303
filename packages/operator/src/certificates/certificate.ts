import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { bits, moment, objectId, octets, retagged, sequence, set, tagged, text, wholeNumber, yes } from "./der.ts";

/** Both as PEM. The key must get into a Secret and nowhere else. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Validity {
  readonly fromMs: number;
  readonly untilMs: number;
}

const id = {
  commonName: objectId("2.5.4.3"),
  ecdsaWithSha256: objectId("1.2.840.10045.4.3.2"),
  subjectKey: objectId("2.5.29.14"),
  keyUsage: objectId("2.5.29.15"),
  alternativeNames: objectId("2.5.29.17"),
  basicConstraints: objectId("2.5.29.19"),
  authorityKey: objectId("2.5.29.35"),
  extendedKeyUsage: objectId("2.5.29.37"),
  serverAuthentication: objectId("1.3.6.1.5.5.7.3.1"),
} as const;

/** The usages, by bit from the left. */
const DIGITAL_SIGNATURE = 0b1000_0000;
const CERTIFICATE_AND_REVOCATION_SIGN = 0b0000_0110;
const DNS_NAME = 2;

/** An authority that signs itself, and may sign servers but no further authorities. */
export function createAuthority(commonName: string, validity: Validity): KeyPair {
  const key = newKey();
  const name = nameOf(commonName);
  const extensions = [
    extension(id.basicConstraints, sequence(yes(), wholeNumber(Buffer.of(0))), "critical"),
    extension(id.keyUsage, bits(Buffer.of(CERTIFICATE_AND_REVOCATION_SIGN), 1), "critical"),
    extension(id.subjectKey, octets(keyIdentifier(key))),
  ];
  return signed({ subject: name, issuer: name, key, issuerKey: key, validity, extensions });
}

export interface ServerSubject {
  /** The first is the common name too. */
  readonly dnsNames: readonly string[];
  readonly validity: Validity;
}

/** A certificate for a server, and for nothing else. */
export function issueServerCertificate(
  authority: KeyPair,
  authorityName: string,
  { dnsNames, validity }: ServerSubject,
): KeyPair {
  const key = newKey();
  const issuerKey = createPrivateKey(authority.key);
  const names = dnsNames.map((name) => retagged(DNS_NAME, Buffer.from(name)));
  const extensions = [
    extension(id.basicConstraints, sequence(), "critical"),
    extension(id.keyUsage, bits(Buffer.of(DIGITAL_SIGNATURE), 7), "critical"),
    extension(id.extendedKeyUsage, sequence(id.serverAuthentication)),
    extension(id.subjectKey, octets(keyIdentifier(key))),
    extension(id.authorityKey, sequence(retagged(0, keyIdentifier(issuerKey)))),
    extension(id.alternativeNames, sequence(...names)),
  ];
  // Longer common names are refused; the names that count are the others.
  const subject = nameOf((dnsNames[0] ?? "").slice(0, 64));
  return signed({ subject, issuer: nameOf(authorityName), key, issuerKey, validity, extensions });
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
  return { certificate: pem(certificate), key: String(key.export({ type: "pkcs8", format: "pem" })) };
}

/** Never zero, and of no more than 20 bytes. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes;
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(id.commonName, text(commonName))));
}

function extension(which: Buffer, value: Buffer, weight?: "critical"): Buffer {
  return sequence(which, ...(weight === "critical" ? [yes()] : []), octets(value));
}

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
