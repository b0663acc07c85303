import { DEFAULT_CIPHERS, type SecureContextOptions, type SecureVersion } from "node:tls";
import { openSslCipherName, StowageError, type TLSProtocolVersion, tlsProtocolVersions } from "@stowage/machinery";

/** As Go names it, by Node's name. */
const versions: Readonly<Record<TLSProtocolVersion, SecureVersion>> = {
  VersionTLS10: "TLSv1",
  VersionTLS11: "TLSv1.1",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
};

/** Go still takes these by the names that they had before they were registered. */
const formerNames: Readonly<Record<string, string>> = {
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
};

/** What `--tls-min-version` and `--tls-cipher-suites` mean to Node. */
export function tlsOptions(minVersion: string, cipherSuites: readonly string[]): SecureContextOptions {
  const version = tlsProtocolVersions.find((each) => each === minVersion);
  if (version === undefined)
    throw misconfigured(`--tls-min-version: ${minVersion} is none of ${tlsProtocolVersions.join(", ")}`);
  const ciphers = cipherSuites.length === 0 ? DEFAULT_CIPHERS : cipherSuites.map(openSslName).join(":");
  // What OpenSSL calls its security level leaves nothing of the old versions at any other.
  const isOld = version === "VersionTLS10" || version === "VersionTLS11";
  return { minVersion: versions[version], ciphers: isOld ? `${ciphers}:@SECLEVEL=0` : ciphers };
}

function openSslName(cipherSuite: string): string {
  const name = openSslCipherName(formerNames[cipherSuite] ?? cipherSuite);
  if (name === undefined) throw misconfigured(`--tls-cipher-suites: ${JSON.stringify(cipherSuite)} is not known`);
  return name;
}

function misconfigured(problem: string): StowageError {
  return new StowageError("RBAC_PROXY_MISCONFIGURED", `${problem}.`);
}
