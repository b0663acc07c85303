import { constants } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { StowageError } from "@stowage/machinery";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";

export interface TlsFiles {
  /** Both or neither; without them, a certificate that nobody can check is made. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Of the authorities of clients' certificates; without it, none is asked for. */
  readonly clientCaFile?: string;
}

/** What is served with: always a pair that fits. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

/** Reads the files. Rejects when they cannot be used, also while one is replaced and the other is not yet. */
export type TlsSource = () => Promise<TlsMaterial>;

export function createTlsSource(files: TlsFiles): TlsSource {
  const isGiven = files.certificateFile !== undefined;
  // Made once: only the authorities of clients change then.
  const own = isGiven ? undefined : selfMade();
  return () => readTlsMaterial(files, own);
}

interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

async function readTlsMaterial(
  { certificateFile = "", keyFile = "", clientCaFile }: TlsFiles,
  own: ServingPair | undefined,
): Promise<TlsMaterial> {
  const ca = clientCaFile === undefined ? {} : { ca: await readPem(clientCaFile) };
  const pair = own ?? { cert: await readPem(certificateFile), key: await readPem(keyFile) };
  const material = { ...pair, ...ca };
  try {
    createSecureContext(material);
    return material;
  } catch (cause) {
    const files = [certificateFile, keyFile, clientCaFile].filter(Boolean).join(", ");
    throw new StowageError("RBAC_PROXY_FILE_UNUSABLE", `Cannot serve TLS with ${files}: ${reasonOf(cause)}.`);
  }
}

export function isSameMaterial(one: TlsMaterial, other: TlsMaterial): boolean {
  return one.cert === other.cert && one.key === other.key && one.ca === other.ca;
}

/** With the flags' options. Who comes with a certificate proves it each time: a ticket would outlive the authority's trust. */
export function secureContextOptions(material: TlsMaterial, options: SecureContextOptions): SecureContextOptions {
  return {
    ...options,
    ...material,
    ...(material.ca === undefined ? {} : { secureOptions: constants.SSL_OP_NO_TICKET }),
  };
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new StowageError("RBAC_PROXY_FILE_UNUSABLE", `Cannot read ${path}: ${reasonOf(cause)}.`, { cause });
  }
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

function selfMade(): ServingPair {
  const validity = { fromMs: Date.now() - 60 * 60_000, untilMs: Date.now() + YEAR_MS };
  const authority = createAuthority("stowage-rbac-proxy", validity);
  const name = hostname();
  const subject = { commonName: name, names: [name], usages: ["server"], validity } as const;
  const { certificate, key } = issueCertificate(authority, subject);
  return { cert: `${certificate}${authority.certificate}`, key };
}

/** OpenSSL's words say what is wrong, and never quote a key. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
