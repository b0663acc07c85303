import type { TLSSecurityProfile } from "./cluster-config.ts";

export type TLSProfileType = (typeof tlsProfileTypes)[number];

export const tlsProfileTypes = ["Old", "Intermediate", "Modern", "Custom"] as const;

/** As Go names them, and so the flags of the sidecars' originals. */
export type TLSProtocolVersion = (typeof tlsProtocolVersions)[number];

export const tlsProtocolVersions = ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] as const;

export interface TLSProfile {
  readonly minTLSVersion: TLSProtocolVersion;
  /** As OpenSSL names them, the preferred first. */
  readonly ciphers: readonly string[];
}

const tls13Ciphers = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

const forwardSecretCiphers = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];

/** For clients that know nothing better. */
const oldCiphers = [
  "ECDHE-ECDSA-AES128-SHA256",
  "ECDHE-RSA-AES128-SHA256",
  "ECDHE-ECDSA-AES128-SHA",
  "ECDHE-RSA-AES128-SHA",
  "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-RSA-AES256-SHA384",
  "ECDHE-ECDSA-AES256-SHA",
  "ECDHE-RSA-AES256-SHA",
  "AES128-GCM-SHA256",
  "AES256-GCM-SHA384",
  "AES128-SHA256",
  "AES256-SHA256",
  "AES128-SHA",
  "AES256-SHA",
  "DES-CBC3-SHA",
];

/** The profiles that OpenShift has by name; they follow Mozilla's recommendations. */
export const tlsProfiles: Readonly<Record<Exclude<TLSProfileType, "Custom">, TLSProfile>> = {
  Old: { minTLSVersion: "VersionTLS10", ciphers: [...tls13Ciphers, ...forwardSecretCiphers, ...oldCiphers] },
  Intermediate: { minTLSVersion: "VersionTLS12", ciphers: [...tls13Ciphers, ...forwardSecretCiphers] },
  Modern: { minTLSVersion: "VersionTLS13", ciphers: tls13Ciphers },
};

const ianaNames: ReadonlyMap<string, string> = new Map([
  ...tls13Ciphers.map((name) => [name, name] as const),
  ["ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"],
  ["ECDHE-RSA-AES128-GCM-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"],
  ["ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"],
  ["ECDHE-RSA-AES256-GCM-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"],
  ["ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"],
  ["ECDHE-RSA-CHACHA20-POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"],
  ["ECDHE-ECDSA-AES128-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"],
  ["ECDHE-RSA-AES128-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"],
  ["ECDHE-ECDSA-AES256-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"],
  ["ECDHE-RSA-AES256-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"],
  ["DHE-RSA-AES128-GCM-SHA256", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"],
  ["DHE-RSA-AES256-GCM-SHA384", "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"],
  ["DHE-RSA-CHACHA20-POLY1305", "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"],
  ["DHE-RSA-AES128-SHA256", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256"],
  ["DHE-RSA-AES256-SHA256", "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256"],
  ["AES128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"],
  ["AES256-GCM-SHA384", "TLS_RSA_WITH_AES_256_GCM_SHA384"],
  ["AES128-SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA256"],
  ["AES256-SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA256"],
  ["ECDHE-ECDSA-AES128-SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"],
  ["ECDHE-RSA-AES128-SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"],
  ["ECDHE-ECDSA-AES256-SHA", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"],
  ["ECDHE-RSA-AES256-SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"],
  ["AES128-SHA", "TLS_RSA_WITH_AES_128_CBC_SHA"],
  ["AES256-SHA", "TLS_RSA_WITH_AES_256_CBC_SHA"],
  ["DES-CBC3-SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA"],
  ["ECDHE-RSA-DES-CBC3-SHA", "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"],
]);

/** As the registry of TLS names the cipher; undefined for what OpenShift does not know. */
export function ianaCipherName(openSslName: string): string | undefined {
  return ianaNames.get(openSslName);
}

const openSslNames: ReadonlyMap<string, string> = new Map([...ianaNames].map(([openSsl, iana]) => [iana, openSsl]));

/** As OpenSSL names the cipher, and Node with it; undefined for what OpenShift does not know. */
export function openSslCipherName(iana: string): string | undefined {
  return openSslNames.get(iana);
}

/** What `servingInfo` is told. */
export interface TLSSettings {
  readonly minTLSVersion: TLSProtocolVersion;
  /** Names of IANA. */
  readonly cipherSuites: readonly string[];
  /** Of the custom profile: left out of `cipherSuites`, and worth a warning. */
  readonly unknownCiphers: readonly string[];
}

/** A profile that is not there, or says `Custom` and gives none, is `Intermediate`. */
export function tlsSettingsOf(profile: TLSSecurityProfile | undefined): TLSSettings {
  const { minTLSVersion, ciphers } = profileOf(profile);
  const cipherSuites = ciphers.map(ianaCipherName).filter((name) => name !== undefined);
  return { minTLSVersion, cipherSuites, unknownCiphers: ciphers.filter((name) => !ianaNames.has(name)) };
}

function profileOf({ type = "Intermediate", custom }: TLSSecurityProfile = {}): TLSProfile {
  if (type !== "Custom") return tlsProfiles[type];
  if (!custom) return tlsProfiles.Intermediate;
  return {
    minTLSVersion: custom.minTLSVersion ?? tlsProfiles.Intermediate.minTLSVersion,
    ciphers: custom.ciphers ?? [],
  };
}
