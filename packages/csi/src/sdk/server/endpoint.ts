import { StowageError } from "@stowage/machinery";
import { checkSocketPath, grpcTarget } from "../../sockets/index.ts";

export type Endpoint =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|::1)$/u;

/** Where a driver listens: `unix:///run/csi/socket`, or `tcp://127.0.0.1:10000` for tests. */
export function parseEndpoint(text: string): Endpoint {
  if (text.startsWith("tcp://")) return parseTcp(text);
  const path = text.replace(/^unix:(\/\/)?/u, "");
  if (!path.startsWith("/")) throw invalidEndpoint(text, "it is not an absolute path");
  checkSocketPath(path);
  return { kind: "unix", path };
}

/** The endpoint as gRPC clients in this process dial it. */
export function dialTarget(endpoint: Endpoint): string {
  if (endpoint.kind === "unix") return grpcTarget(endpoint.path);
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
