import { StowageError } from "@stowage/machinery";

export type Endpoint =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** `sun_path` of Linux has 108 bytes, the last of which is NUL. */
const maximumSocketPathBytes = 107;

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|::1)$/u;

/** Where a driver listens: `unix:///run/csi/socket`, or `tcp://127.0.0.1:10000` for tests. */
export function parseEndpoint(text: string): Endpoint {
  if (text.startsWith("tcp://")) return parseTcp(text);
  const path = text.replace(/^unix:(\/\/)?/u, "");
  if (!path.startsWith("/")) throw invalidEndpoint(text, "it is not an absolute path");
  checkSocketPath(path);
  return { kind: "unix", path };
}

/** The kernel would cut a longer path, or refuse it with EINVAL: both are hard to find out about. */
export function checkSocketPath(path: string): void {
  const sizeBytes = Buffer.byteLength(path);
  if (sizeBytes <= maximumSocketPathBytes) return;
  throw new StowageError(
    "CSI_ENDPOINT_INVALID",
    `cannot listen at ${path}: the path of a socket has at most ${maximumSocketPathBytes} bytes, this one has ${sizeBytes}`,
    { nextStep: "Choose a shorter path for the socket." },
  );
}

/** The endpoint as gRPC clients in this process dial it. */
export function dialTarget(endpoint: Endpoint): string {
  if (endpoint.kind === "unix") return `unix:${endpoint.path}`;
  return endpoint.host.includes(":") ? `[${endpoint.host}]:${endpoint.port}` : `${endpoint.host}:${endpoint.port}`;
}

/** The endpoint as people write it. */
export function endpointText(endpoint: Endpoint): string {
  return endpoint.kind === "unix" ? `unix://${endpoint.path}` : `tcp://${dialTarget(endpoint)}`;
}

function parseTcp(text: string): Endpoint {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/^\[|\]$/gu, "") ?? "";
  if (url === null || url.port === "") throw invalidEndpoint(text, "it has no host and port");
  // CSI has no authentication: whoever reaches the port owns the volumes.
  if (!loopbackHosts.test(host)) throw invalidEndpoint(text, "a TCP endpoint is allowed on the loopback address only");
  return { kind: "tcp", host, port: Number(url.port) };
}

function invalidEndpoint(text: string, why: string): StowageError {
  return new StowageError("CSI_ENDPOINT_INVALID", `cannot listen at ${JSON.stringify(text)}: ${why}`);
}
