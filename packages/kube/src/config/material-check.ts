import { StowageError } from "@stowage/machinery";
import type { ConnectionConfig, CredentialsConfig, PemSource } from "./connection-config.ts";
import { type FileReader, readComplaint } from "./file-reader.ts";
import { authorityComplaint, belongTogether, certificateComplaint, privateKeyComplaint } from "./pem.ts";

export interface MaterialCheck {
  /** What messages call the entries that the material belongs to. */
  readonly cluster: string;
  readonly user: string;
  readonly readFile: FileReader;
}

/** Reads every certificate, key and token file once, so that a mistake shows up here and not as a failed handshake. */
export async function checkMaterial({ tls, credentials }: ConnectionConfig, check: MaterialCheck): Promise<void> {
  if (tls.certificateAuthority !== undefined) {
    const field = `${check.cluster}: certificate-authority`;
    complain(
      field,
      tls.certificateAuthority,
      authorityComplaint(await read(tls.certificateAuthority, field, check.readFile)),
    );
  }
  if (credentials.clientCertificate !== undefined) {
    await checkPair(credentials.clientCertificate, check);
  }
  if (credentials.tokenFile !== undefined && credentials.token === undefined) {
    await checkTokenFile(credentials.tokenFile, check);
  }
}

async function checkPair(
  { cert, key }: NonNullable<CredentialsConfig["clientCertificate"]>,
  check: MaterialCheck,
): Promise<void> {
  const certField = `${check.user}: client-certificate`;
  const keyField = `${check.user}: client-key`;
  const certPem = await read(cert, certField, check.readFile);
  const keyPem = await read(key, keyField, check.readFile);
  complain(certField, cert, certificateComplaint(certPem));
  complain(keyField, key, privateKeyComplaint(keyPem));
  if (!belongTogether(certPem, keyPem)) {
    throw invalid(
      `${check.user}: ${nameOf("client-certificate", cert)} and ${nameOf("client-key", key)} do not belong together.`,
    );
  }
}

async function checkTokenFile(path: string, { user, readFile }: MaterialCheck): Promise<void> {
  try {
    await readFile(path);
  } catch (error) {
    throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `${user}: tokenFile ${path} ${readComplaint(error)}.`, {
      cause: error,
    });
  }
}

async function read(source: PemSource, field: string, readFile: FileReader): Promise<string> {
  if (source.kind === "inline") {
    return source.pem;
  }
  try {
    return await readFile(source.path);
  } catch (error) {
    throw invalid(`${nameOf(field, source)} ${readComplaint(error)}.`, error);
  }
}

function complain(field: string, source: PemSource, complaint: string | undefined): void {
  if (complaint !== undefined) {
    throw invalid(`${nameOf(field, source)} ${complaint}.`);
  }
}

function nameOf(field: string, source: PemSource): string {
  return source.kind === "inline" ? `${field}-data` : `${field} ${source.path}`;
}

function invalid(message: string, cause?: unknown): StowageError {
  return new StowageError("KUBECONFIG_CERTIFICATE_INVALID", message, { cause });
}
