import { X509Certificate } from "node:crypto";
import { createAuthority, issueCertificate, type KeyPair, type Validity } from "@stowage/machinery/certificates";
import {
  dnsNamesOf,
  isIssuedBy,
  isPair,
  readBundle,
  readCertificate,
  renewalTimeMs,
  validityOf,
} from "./certificate-check.ts";

const DAY_MS = 24 * 60 * 60_000;
const AUTHORITY_LIFE_MS = 5 * 365 * DAY_MS;
const SERVING_LIFE_MS = 365 * DAY_MS;
/** A clock that is a little behind must not refuse a certificate made just now. */
const BACKDATED_MS = 60 * 60_000;

/** An authority, and all those that certificates in use may be signed by: itself, and its predecessors while they are valid. */
export interface Authority extends KeyPair {
  readonly bundle: string;
}

/** What there is if it will do, else a new one. Certificates of the old one stay good: it stays in the bundle until it ends. */
export function desiredAuthority(existing: Authority | undefined, commonName: string, nowMs: number): Authority {
  const current = readCertificate(existing?.certificate);
  const isGood =
    existing !== undefined && current?.ca === true && isCommonName(current, commonName) && isPair(existing);
  const isYoung = current !== undefined && nowMs < renewalTimeMs(validityOf(current));
  const pair =
    existing !== undefined && isGood && isYoung
      ? existing
      : createAuthority(commonName, lifeFrom(nowMs, AUTHORITY_LIFE_MS));
  return { certificate: pair.certificate, key: pair.key, bundle: desiredBundle(pair, existing, nowMs) };
}

function desiredBundle({ certificate }: KeyPair, existing: Authority | undefined, nowMs: number): string {
  const former = [...readBundle(existing?.certificate), ...readBundle(existing?.bundle)];
  const valid = former.filter((each) => each.ca && validityOf(each).untilMs > nowMs);
  const all = [...readBundle(certificate), ...valid].map((each) => each.toString());
  return [...new Set(all)].join("");
}

/** What there is if it will do, else a new one. */
export function desiredServingPair(
  existing: KeyPair | undefined,
  {
    authority,
    dnsNames,
    nowMs,
  }: { readonly authority: Authority; readonly dnsNames: readonly string[]; readonly nowMs: number },
): KeyPair {
  if (existing !== undefined && isGoodServingPair(existing, { authority, dnsNames, nowMs })) return existing;
  const issuer = new X509Certificate(authority.certificate);
  const life = lifeFrom(nowMs, SERVING_LIFE_MS);
  const validity = { fromMs: life.fromMs, untilMs: Math.min(life.untilMs, validityOf(issuer).untilMs) };
  return issueCertificate(authority, { commonName: dnsNames[0] ?? "", names: dnsNames, usages: ["server"], validity });
}

function isGoodServingPair(
  existing: KeyPair,
  {
    authority,
    dnsNames,
    nowMs,
  }: { readonly authority: Authority; readonly dnsNames: readonly string[]; readonly nowMs: number },
): boolean {
  const certificate = readCertificate(existing.certificate);
  if (certificate === undefined || nowMs >= renewalTimeMs(validityOf(certificate))) return false;
  const hasNames = dnsNames.every((name) => dnsNamesOf(certificate).includes(name));
  return hasNames && isPair(existing) && readBundle(authority.bundle).some((each) => isIssuedBy(certificate, each));
}

/** The first time at which one of them has to be renewed. */
export function nextRenewalMs(certificates: readonly string[]): number {
  const times = certificates.flatMap(readBundle).map((certificate) => renewalTimeMs(validityOf(certificate)));
  return Math.min(...times);
}

function lifeFrom(nowMs: number, lifeMs: number): Validity {
  return { fromMs: nowMs - BACKDATED_MS, untilMs: nowMs + lifeMs };
}

function commonNameOf({ subject }: X509Certificate): string {
  return subject.replace(/^CN=/, "");
}

function isCommonName(certificate: X509Certificate, commonName: string): boolean {
  return commonNameOf(certificate) === commonName;
}
