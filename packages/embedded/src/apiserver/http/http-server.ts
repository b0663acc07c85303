import { constants } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { StowageError } from "@stowage/machinery";
import { refuseBroken } from "./broken-request.ts";
import { Exchange, type Outgoing } from "./exchange.ts";
import { type Incoming, RequestHead } from "./request-head.ts";
import { SharedBytes } from "./shared-bytes.ts";

/** A connection on which the client wants to speak something else. */
export interface Upgrade {
  readonly request: RequestHead;
  readonly headers: IncomingHttpHeaders;
  readonly socket: TLSSocket;
  /** What came with the request already. */
  readonly head: Buffer;
}

export interface HttpServerOptions {
  readonly host: string;
  /** Any free one when zero. */
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** Those whose clients are recognised, as PEM. */
  readonly clientAuthorities: string;
  /** How long a client may take to greet; enough when left out. */
  readonly greetingTimeoutMs?: number;
  /** How long a client may then take to say what it wants; enough when left out. */
  readonly headerTimeoutMs?: number;
  /** Must not throw; answers every request. */
  readonly onRequest: (exchange: Exchange) => Promise<void>;
  readonly onUpgrade: (upgrade: Upgrade) => Promise<void>;
}

/** As the real server has them. */
const keepAliveMs = 120_000;
const maximumHeaderBytes = 1024 * 1024;
const usualTimeoutMs = 32_000;

/** Listens, and knows all its connections, so that closing leaves none behind. */
export class HttpServer {
  readonly #server: Http2SecureServer;
  readonly #options: HttpServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #pending = new Set<Promise<void>>();
  readonly #bytes = new SharedBytes();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { greetingTimeoutMs = usualTimeoutMs, headerTimeoutMs = usualTimeoutMs } = options;
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert: options.certificate,
      key: options.key,
      ca: options.clientAuthorities,
      requestCert: true,
      // Whoever shows a wrong one is told so, in words.
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      // A connection that goes on with an old session would have to be asked for its certificate again.
      secureOptions: constants.SSL_OP_NO_TICKET,
      settings: {
        maxConcurrentStreams: 1000,
        initialWindowSize: 1024 * 1024,
        maxHeaderListSize: maximumHeaderBytes,
      },
      maxSessionMemory: 128,
      maxHeaderListPairs: 4000,
      handshakeTimeout: greetingTimeoutMs,
    });
    Object.assign(this.#server, http1Settings(headerTimeoutMs));
    this.#listenToConnections();
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    this.#server.listen({ host, port });
    try {
      await once(this.#server, "listening");
    } catch (error) {
      throw new StowageError("SERVING_ADDRESS_UNUSABLE", `The API server cannot listen on ${host}:${port}`, {
        cause: error,
      });
    }
    return (this.#server.address() as AddressInfo).port;
  }

  /** Answers that are being sent are cut off; settles when nothing of it is left. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await Promise.all(this.#pending);
  }

  #listenToConnections(): void {
    const server = this.#server;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
    });
    // Of connections that break; there is nobody left to tell.
    server.on("sessionError", () => {});
    server.on("tlsClientError", () => {});
    server.on("secureConnection", (socket: TLSSocket) => socket.on("error", () => {}));
    server.on("request", (incoming, outgoing) => this.#handle(incoming, outgoing));
    server.on("upgrade", (incoming: IncomingMessage, socket: TLSSocket, head: Buffer) => {
      const url = urlOf(incoming);
      if (url === undefined) socket.destroy();
      else {
        const { headers } = incoming;
        this.#track(this.#options.onUpgrade({ request: new RequestHead(incoming, url), headers, socket, head }));
      }
    });
    server.on("clientError", refuseBroken);
  }

  #handle(incoming: Incoming, outgoing: Outgoing): void {
    incoming.on("error", () => {});
    outgoing.on("error", () => {});
    const url = urlOf(incoming);
    if (url === undefined) {
      outgoing.statusCode = 400;
      outgoing.setHeader("content-type", "text/plain; charset=utf-8");
      outgoing.end("400 Bad Request");
      return;
    }
    this.#track(this.#options.onRequest(new Exchange(incoming, outgoing, { url, bytes: this.#bytes })));
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }
}

/** Node reads them, and its types do not say so. The number of headers is bounded by their size. */
function http1Settings(headersTimeout: number) {
  return {
    maxHeaderSize: maximumHeaderBytes,
    maxHeadersCount: 0,
    keepAliveTimeout: keepAliveMs,
    headersTimeout,
    connectionsCheckingInterval: Math.min(headersTimeout, 5000),
  };
}

/** Undefined when the path is none. The host is what the client says, and is not relied on. */
function urlOf({ url = "/" }: Incoming): URL | undefined {
  const [path = ""] = url.split("?");
  if (/%(?![0-9a-fA-F]{2})/u.test(path)) return undefined;
  return URL.parse(url.startsWith("/") ? `https://server${url}` : url) ?? undefined;
}
