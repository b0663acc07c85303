import { parseTime, StowageError } from "@stowage/machinery";
import type { ClientCertificate } from "./authenticator.ts";
import { isBearerToken } from "./bearer-token.ts";
import type { ExecPluginConfig } from "./connection-config.ts";
import { belongTogether, certificateComplaint, privateKeyComplaint } from "./pem.ts";

export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificate?: ClientCertificate;
  /** Absent when the credential holds for as long as this process lives. */
  readonly expiresAtMs?: number;
}

/** What the plugin finds in KUBERNETES_EXEC_INFO. */
export function execInfo(plugin: ExecPluginConfig, interactive: boolean): string {
  return JSON.stringify({
    apiVersion: plugin.apiVersion,
    kind: "ExecCredential",
    spec: { cluster: plugin.cluster, interactive },
  });
}

interface Status {
  token?: unknown;
  clientCertificateData?: unknown;
  clientKeyData?: unknown;
  expirationTimestamp?: unknown;
}

/** Understands what a plugin printed. Complaints say what is missing and never repeat the output: it holds the credential. */
export function parseExecCredential(output: string, plugin: ExecPluginConfig): ExecCredential {
  const document = parseJson(output, plugin);
  if (document.kind !== "ExecCredential") {
    throw invalidOutput(plugin, "printed something other than an ExecCredential");
  }
  if (document.apiVersion !== plugin.apiVersion) {
    throw invalidOutput(plugin, `printed another apiVersion than ${plugin.apiVersion}, which the kubeconfig asks for`);
  }
  const status = document.status;
  if (typeof status !== "object" || status === null) {
    throw invalidOutput(plugin, "printed an ExecCredential without a status");
  }
  const token = text(status.token, "token", plugin);
  const clientCertificate = certificateOf(status, plugin);
  if (token === undefined && clientCertificate === undefined) {
    throw invalidOutput(plugin, "printed neither a token nor a client certificate");
  }
  const expiresAtMs = expiryOf(status, plugin);
  return {
    token: token === undefined ? undefined : checkedToken(token, plugin),
    clientCertificate,
    expiresAtMs,
  };
}

function parseJson(
  output: string,
  plugin: ExecPluginConfig,
): { kind?: unknown; apiVersion?: unknown; status?: Status | null } {
  let document: unknown;
  try {
    document = JSON.parse(output);
  } catch {
    // JSON.parse quotes its input in the error, so that is no cause of ours.
    throw invalidOutput(plugin, output.trim() === "" ? "printed nothing" : "did not print JSON");
  }
  if (typeof document !== "object" || document === null) {
    throw invalidOutput(plugin, "did not print a JSON object");
  }
  return document;
}

function certificateOf(status: Status, plugin: ExecPluginConfig): ClientCertificate | undefined {
  const cert = text(status.clientCertificateData, "clientCertificateData", plugin);
  const key = text(status.clientKeyData, "clientKeyData", plugin);
  if (cert === undefined && key === undefined) {
    return undefined;
  }
  if (cert === undefined || key === undefined) {
    throw invalidOutput(plugin, "printed only one of clientCertificateData and clientKeyData");
  }
  const complaint = certificateComplaint(cert) ?? privateKeyComplaint(key);
  if (complaint !== undefined) {
    throw invalidOutput(plugin, `printed a client certificate that ${complaint}`);
  }
  if (!belongTogether(cert, key)) {
    throw invalidOutput(plugin, "printed a client certificate and a key that do not belong together");
  }
  return { cert, key };
}

function expiryOf(status: Status, plugin: ExecPluginConfig): number | undefined {
  const timestamp = text(status.expirationTimestamp, "expirationTimestamp", plugin);
  if (timestamp === undefined) {
    return undefined;
  }
  try {
    return parseTime(timestamp);
  } catch {
    throw invalidOutput(plugin, "printed an expirationTimestamp that is not an RFC 3339 time");
  }
}

function checkedToken(token: string, plugin: ExecPluginConfig): string {
  if (!isBearerToken(token)) {
    throw invalidOutput(plugin, "printed a token with spaces or other characters that no token has");
  }
  return token;
}

function text(value: unknown, field: string, plugin: ExecPluginConfig): string | undefined {
  if (value === undefined || value === null || value === "") {
    return undefined;
  }
  if (typeof value !== "string") {
    throw invalidOutput(plugin, `printed a ${field} that is not a string`);
  }
  return value;
}

function invalidOutput(plugin: ExecPluginConfig, complaint: string): StowageError {
  return new StowageError("CREDENTIAL_PLUGIN_OUTPUT_INVALID", `The credential plugin ${plugin.command} ${complaint}.`);
}
