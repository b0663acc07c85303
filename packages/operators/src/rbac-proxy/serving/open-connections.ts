import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket, Server as TlsServer } from "node:tls";

const IDLE_SESSION_MS = 90_000;

/** The connections of a server, so that each ends when it should and not before. */
export class OpenConnections {
  readonly #server: HttpServer | TlsServer;
  /** As they come in. Those with TLS have another face once they are known. */
  readonly #raw = new Set<Socket>();
  readonly #secure = new Set<TLSSocket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** HTTP/1.1 with a request under way. */
  readonly #busy = new Set<Socket>();
  #isDraining = false;

  constructor(server: HttpServer | TlsServer) {
    this.#server = server;
    server.on("connection", (socket: Socket) => remember(this.#raw, socket));
    server.on("secureConnection", (socket: TLSSocket) => {
      remember(this.#secure, socket);
      if (this.#isDraining && isHttp1(socket)) socket.destroySoon();
    });
    server.on("session", (session: ServerHttp2Session) => {
      remember(this.#sessions, session);
      // Requests that are silent for so long keep it open all the same.
      session.setTimeout(IDLE_SESSION_MS, () => session.close());
      if (this.#isDraining) session.close();
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#follow(request, response));
  }

  /** Of clients that have proven who they are by a certificate: they have to do it again. */
  endAuthorized(): void {
    for (const socket of this.#secure) if (socket.authorized) socket.destroy();
  }

  /** No more requests come in; resolves when those under way are answered. */
  async drain(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#isDraining = true;
    for (const session of this.#sessions) session.close();
    for (const socket of this.#ofHttp1()) if (!this.#busy.has(socket)) socket.destroySoon();
    await closed;
  }

  destroy(): void {
    for (const socket of this.#raw) socket.destroy();
  }

  #ofHttp1(): readonly Socket[] {
    return "setSecureContext" in this.#server ? [...this.#secure].filter(isHttp1) : [...this.#raw];
  }

  #follow({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void {
    if (httpVersionMajor !== 1) return;
    this.#busy.add(socket);
    response.once("close", () => {
      this.#busy.delete(socket);
      if (this.#isDraining) socket.destroySoon();
    });
  }
}

function isHttp1({ alpnProtocol }: TLSSocket): boolean {
  return alpnProtocol !== "h2";
}

interface Closing {
  once(event: "close", listener: () => void): unknown;
}

function remember<Connection extends Closing>(open: Set<Connection>, connection: Connection): void {
  open.add(connection);
  connection.once("close", () => open.delete(connection));
}
