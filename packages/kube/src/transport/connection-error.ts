import { type ErrorCode, StowageError } from "@stowage/machinery";

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOTFOUND: "SERVER_NOT_RESOLVED",
  EAI_AGAIN: "SERVER_NOT_RESOLVED",
  EAI_FAIL: "SERVER_NOT_RESOLVED",
  EAI_NODATA: "SERVER_NOT_RESOLVED",
  ECONNREFUSED: "CONNECTION_REFUSED",
  ETIMEDOUT: "CONNECTION_TIMEOUT",
  ERR_SOCKET_CONNECTION_TIMEOUT: "CONNECTION_TIMEOUT",
  ECONNRESET: "CONNECTION_RESET",
  EPIPE: "CONNECTION_RESET",
  ECONNABORTED: "CONNECTION_RESET",
  ERR_STREAM_PREMATURE_CLOSE: "CONNECTION_RESET",
  CERT_HAS_EXPIRED: "SERVER_CERTIFICATE_EXPIRED",
  CERT_NOT_YET_VALID: "SERVER_CERTIFICATE_EXPIRED",
  ERR_TLS_CERT_ALTNAME_INVALID: "SERVER_CERTIFICATE_WRONG_NAME",
  DEPTH_ZERO_SELF_SIGNED_CERT: "SERVER_CERTIFICATE_UNTRUSTED",
  SELF_SIGNED_CERT_IN_CHAIN: "SERVER_CERTIFICATE_UNTRUSTED",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "SERVER_CERTIFICATE_UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT: "SERVER_CERTIFICATE_UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "SERVER_CERTIFICATE_UNTRUSTED",
  CERT_SIGNATURE_FAILURE: "SERVER_CERTIFICATE_UNTRUSTED",
  CERT_UNTRUSTED: "SERVER_CERTIFICATE_UNTRUSTED",
  CERT_REJECTED: "SERVER_CERTIFICATE_UNTRUSTED",
  CERT_REVOKED: "SERVER_CERTIFICATE_UNTRUSTED",
  CERT_CHAIN_TOO_LONG: "SERVER_CERTIFICATE_UNTRUSTED",
  INVALID_CA: "SERVER_CERTIFICATE_UNTRUSTED",
  INVALID_PURPOSE: "SERVER_CERTIFICATE_UNTRUSTED",
  ERR_SSL_WRONG_VERSION_NUMBER: "WRONG_PROTOCOL",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "WRONG_PROTOCOL",
  ERR_SSL_HTTP_REQUEST: "WRONG_PROTOCOL",
};

/** What the server says when it does not like the certificate we showed, or showed none. */
const clientCertificateAlert =
  /^ERR_SSL_\w*ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE\w*|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)$/;

/**
 * Turns what Node says about a broken connection into a StowageError that names what was attempted (no credentials are in
 * it) and the next step. Errors that are ours already pass through, so it serves for errors of a body that is read, too.
 */
export function toConnectionError(error: unknown, server: string, attempted = server): StowageError {
  if (error instanceof StowageError) {
    return error;
  }
  const nodeCode = nodeCodeOf(error);
  if (nodeCode.startsWith("HPE_")) {
    return parseFailure(error, server, attempted);
  }
  const code = errorCodeOf(nodeCode);
  const nextStep = nextStepFor(code, server);
  return new StowageError(code, `${attempted}: ${describe(code, nodeCode, error)}.`, {
    cause: error,
    nextStep,
  });
}

function errorCodeOf(nodeCode: string): ErrorCode {
  if (clientCertificateAlert.test(nodeCode)) {
    return "CLIENT_CERTIFICATE_REFUSED";
  }
  return codes[nodeCode] ?? (/^(?:ERR_SSL_|ERR_TLS_)/.test(nodeCode) ? "TLS_FAILED" : "CONNECTION_FAILED");
}

/** With several addresses to try, Node gathers the failures: the last one is the address that was left. */
function nodeCodeOf(error: unknown): string {
  const own = (error as NodeJS.ErrnoException).code;
  if (own !== undefined) {
    return own;
  }
  return error instanceof AggregateError && error.errors.length > 0 ? nodeCodeOf(error.errors.at(-1)) : "";
}

function describe(code: ErrorCode, nodeCode: string, error: unknown): string {
  const words: Partial<Record<ErrorCode, string>> = {
    SERVER_NOT_RESOLVED:
      nodeCode === "EAI_AGAIN" ? "the name could not be looked up just now" : "the name has no address",
    CONNECTION_REFUSED: "the connection was refused; nothing listens there",
    CONNECTION_TIMEOUT: "the server did not respond in time",
    CONNECTION_RESET: "the connection broke before the answer was complete",
    SERVER_CERTIFICATE_UNTRUSTED: `the server's certificate is not trusted (${reasonFor(nodeCode)})`,
    SERVER_CERTIFICATE_EXPIRED:
      nodeCode === "CERT_NOT_YET_VALID"
        ? "the server's certificate is not valid yet"
        : "the server's certificate has expired",
    SERVER_CERTIFICATE_WRONG_NAME: `the server's certificate is for other names (${namesIn(error)})`,
    CLIENT_CERTIFICATE_REFUSED: `the server refused our client certificate, or wants one (${nodeCode})`,
    WRONG_PROTOCOL: "the server does not speak TLS; it may speak plain HTTP",
    TLS_FAILED: `no secure connection could be agreed on (${nodeCode})`,
  };
  return words[code] ?? `the connection failed (${nodeCode === "" ? messageOf(error) : nodeCode})`;
}

function reasonFor(nodeCode: string): string {
  if (nodeCode === "DEPTH_ZERO_SELF_SIGNED_CERT") {
    return "it is self-signed";
  }
  if (nodeCode === "SELF_SIGNED_CERT_IN_CHAIN" || nodeCode.startsWith("UNABLE_TO_")) {
    return "it was signed by an unknown authority";
  }
  return nodeCode;
}

function namesIn(error: unknown): string {
  const cert = (error as { cert?: { subjectaltname?: string } }).cert;
  return cert?.subjectaltname ?? "it has none";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nextStepFor(code: ErrorCode, server: string): string | undefined {
  const isPlain = server.startsWith("http:");
  if (code === "WRONG_PROTOCOL") {
    return otherScheme(server);
  }
  return code === "CONNECTION_RESET" && isPlain
    ? "Try again; if it keeps happening, the server may speak HTTPS: then write https:// in the kubeconfig."
    : undefined;
}

function otherScheme(server: string): string {
  return server.startsWith("https:")
    ? `If the server speaks plain HTTP, write it as ${server.replace(/^https:/, "http:")} in the kubeconfig.`
    : `Write the server as ${server.replace(/^http:/, "https:")} in the kubeconfig.`;
}

/** Node's parser attaches the bytes that it stumbled over. They are looked at here and go no further. */
function parseFailure(error: unknown, server: string, attempted: string): StowageError {
  const bytes = (error as { rawPacket?: Uint8Array }).rawPacket;
  const isTlsRecord = bytes?.[0] === 0x15 && bytes[1] === 0x03;
  return isTlsRecord
    ? wantsHttps(server)
    : new StowageError("RESPONSE_INVALID", `${attempted}: what came back is not HTTP (${nodeCodeOf(error)}).`);
}

export function wantsHttps(server: string): StowageError {
  return new StowageError("WRONG_PROTOCOL", `${server}: the server speaks HTTPS, but was called by plain HTTP.`, {
    nextStep: otherScheme(server),
  });
}
