import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { SecureContextOptions, Server as TlsServer } from "node:tls";
import { type Clock, StowageError } from "@stowage/machinery";
import type { RbacProxySettings } from "../proxy-settings.ts";
import type { ListenAddress } from "./listen-address.ts";
import { OpenConnections } from "./open-connections.ts";

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** A token has some 1,000 characters, and there are clients that send cookies along. */
const httpOptions = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 30_000,
  connectionsCheckingInterval: 10_000,
  // A body may come as slowly as the upstream takes it.
  requestTimeout: 0,
  // Longer than the usual time between two scrapes: a handshake costs more than a connection.
  keepAliveTimeout: 90_000,
};
const HANDSHAKE_TIMEOUT_MS = 10_000;

export interface Listener {
  /** With the port that was given where 0 was asked for. */
  readonly url: string;
  /** For the connections to come. */
  replaceContext(context: SecureContextOptions, isTrustChanged: boolean): void;
  /** Answers what is under way, for so long and no longer. */
  close(graceMs: number): Promise<void>;
}

export interface TlsListenerOptions {
  readonly context: SecureContextOptions;
  readonly asksForCertificates: boolean;
  readonly http2: RbacProxySettings["http2"];
}

export async function startTlsListener(
  clock: Clock,
  { address, tls, onRequest }: { address: ListenAddress; tls: TlsListenerOptions; onRequest: RequestListener },
): Promise<Listener> {
  const options = {
    ...httpOptions,
    ...tls.context,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    requestCert: tls.asksForCertificates,
    // Who has none may have a token.
    rejectUnauthorized: false,
  };
  const server = tls.http2 === undefined ? createHttpsServer(options) : await http2Server(options, tls.http2);
  return listen(server, { clock, address, onRequest });
}

export function startPlainListener(
  clock: Clock,
  { address, onRequest }: { address: ListenAddress; onRequest: RequestListener },
): Promise<Listener> {
  return listen(createHttpServer(httpOptions), { clock, address, onRequest });
}

async function http2Server(
  options: SecureContextOptions,
  { maxConcurrentStreams, maxSizeBytes }: NonNullable<RbacProxySettings["http2"]>,
): Promise<TlsServer> {
  // 2 MB that a server of HTTP/1.1 alone does without.
  const { createSecureServer } = await import("node:http2");
  const settings = { maxConcurrentStreams, initialWindowSize: maxSizeBytes, maxFrameSize: maxSizeBytes };
  return createSecureServer({ ...options, allowHTTP1: true, settings });
}

interface Listening {
  readonly clock: Clock;
  readonly address: ListenAddress;
  readonly onRequest: RequestListener;
}

async function listen(server: HttpServer | TlsServer, { clock, address, onRequest }: Listening): Promise<Listener> {
  const connections = new OpenConnections(server);
  server.on("request", onRequest);
  server.on("clientError", refuseMalformed);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("listening", resolve);
  // Of later ones the connection that has them is told.
  server.on("error", (cause: Error) => reject(cannotListen(address, cause)));
  server.listen(address);
  await promise;
  return {
    url: urlOf(server),
    replaceContext(context, isTrustChanged) {
      if ("setSecureContext" in server) server.setSecureContext(context);
      if (isTrustChanged) connections.endAuthorized();
    },
    async close(graceMs) {
      const drained = new AbortController();
      const grace = clock.sleep(graceMs, drained.signal).then(
        () => connections.destroy(),
        () => {},
      );
      await connections.drain();
      drained.abort();
      await grace;
    },
  };
}

const problems: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Node would answer and hang up at once, and the answer be lost to who is still sending. */
function refuseMalformed({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const status = problems[code ?? ""] ?? "400 Bad Request";
  if (code === "ECONNRESET" || !socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function cannotListen({ host = "", port }: ListenAddress, cause: Error): StowageError {
  return new StowageError("SERVING_ADDRESS_UNUSABLE", `cannot listen at ${host}:${port}: ${cause.message}`, { cause });
}

function urlOf(server: HttpServer | TlsServer): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) return "";
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${"setSecureContext" in server ? "https" : "http"}://${host}:${address.port}`;
}
