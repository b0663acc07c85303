import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { StowageError } from "@stowage/machinery";
import { agentClient, agentPaths, channelProtocol, type NodeAgents, questionAt } from "../../apiserver/index.ts";
import { serveExec, serveForward } from "./agent-connections.ts";
import { sendLog } from "./sent-log.ts";

export interface AgentServerOptions {
  readonly nodeName: string;
  /** Of this machine alone, or of a network that others are on. */
  readonly host: string;
  /** Any free one when zero. */
  readonly port: number;
  /** PEM: whose clients are let in, and what this node shows. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  /** What answers. */
  readonly agents: NodeAgents;
}

/** What a node serves to the API server, and to nobody else: logs, commands, ports and what it says of itself. */
export class AgentServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #options: AgentServerOptions;
  readonly #sockets = new Set<Duplex>();

  constructor(options: AgentServerOptions) {
    this.#options = options;
    this.#server = createServer({
      ...options.tls,
      requestCert: true,
      // Whoever has no certificate of the cluster does not even get to ask.
      rejectUnauthorized: true,
      minVersion: "TLSv1.3",
    });
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
    });
    // Of connections that break, and of strangers; there is nobody to tell.
    this.#server.on("tlsClientError", () => {});
    this.#server.on("request", (incoming, outgoing) => void this.#answer(incoming, outgoing));
    this.#server.on("upgrade", (incoming, socket, head) => void this.#connect(incoming, socket, head));
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    const { host, port, nodeName } = this.#options;
    this.#server.listen({ host, port });
    try {
      await once(this.#server, "listening");
    } catch (error) {
      const message = `the agent of node ${nodeName} cannot listen on ${host}:${port}`;
      throw new StowageError("SERVING_ADDRESS_UNUSABLE", message, { cause: error });
    }
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const refuse = (code: number, why: string) => void outgoing.writeHead(code).end(why);
    if (!isApiServer(incoming)) return refuse(403, "Forbidden");
    const url = urlOf(incoming);
    const { agents, nodeName } = this.#options;
    try {
      if (url.pathname === agentPaths.log) {
        const { container, options } = questionAt("log", url);
        await sendLog(agents.log(container, options, gone.signal), outgoing);
        return;
      }
      const path = url.pathname.startsWith(agentPaths.page) ? url.pathname.slice(agentPaths.page.length) : undefined;
      const page = path && (await agents.page?.(nodeName, decodeURIComponent(path), gone.signal));
      if (!page) return refuse(404, "404 page not found\n");
      outgoing.writeHead(200, { "content-type": page.contentType }).end(page.body);
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(500, wordsOf(error));
    }
  }

  async #connect(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = urlOf(incoming);
    const serve = { [agentPaths.exec]: serveExec, [agentPaths.forward]: serveForward }[url.pathname];
    const isAgreed = incoming.headers.upgrade === channelProtocol;
    if (!isApiServer(incoming) || serve === undefined || !isAgreed) {
      socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const lines = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", `Upgrade: ${channelProtocol}`];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    try {
      await serve(this.#options.agents, url, { socket, head });
    } catch {
      // The other side hears of it by the end of the connection, if it is there at all.
      socket.destroy();
    }
  }
}

/** By the certificate that its connection was opened with; the authority signs those of others, too. */
function isApiServer({ socket }: IncomingMessage): boolean {
  return (socket as TLSSocket).getPeerCertificate().subject?.CN === agentClient.user;
}

function urlOf({ url = "/" }: IncomingMessage): URL {
  return new URL(url, "https://node");
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
