import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { type LocalAgents, type LogOptions, sendLog, serveStreaming } from "@stowage/embedded";
import { isNotFound, type KubeClient } from "@stowage/kube";
import { pods } from "@stowage/machinery";

export interface KubeletServerDeps {
  readonly nodeName: string;
  readonly host: string;
  /** PEM: whose clients are let in, and what this node shows. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  /** What answers. */
  readonly agents: Pick<LocalAgents, "exec" | "forward" | "log" | "page">;
  readonly client: Pick<KubeClient, "get">;
}

export interface KubeletServer extends AsyncDisposable {
  readonly port: number;
}

/** Whom the real API server asks kubelets as. */
const askingGroup = "system:masters";

/** What a node answers to the real API server in kubelet's own words: logs, commands, ports, and what it says of itself. */
export async function startKubeletServer(deps: KubeletServerDeps): Promise<KubeletServer> {
  const server = createServer({ ...deps.tls, requestCert: true, rejectUnauthorized: true });
  const stop = new AbortController();
  /** Those that are no longer HTTP: the server does not close them. */
  const connections = new Set<Duplex>();
  server.on("tlsClientError", () => {}); // Of strangers; there is nobody to tell.
  server.on("request", (incoming, outgoing) => void answer(deps, { incoming, outgoing }, stop.signal));
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.add(socket.on("close", () => connections.delete(socket)));
    void connect(deps, incoming, { socket, head });
  });
  server.listen({ host: deps.host, port: 0 });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      stop.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

interface OpenConnection {
  readonly socket: Duplex;
  /** What came with the request already. */
  readonly head: Buffer;
}

async function connect(deps: KubeletServerDeps, incoming: IncomingMessage, open: OpenConnection): Promise<void> {
  if (!isApiServer(incoming)) {
    open.socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  const { agents, client, nodeName } = deps;
  const uidOf = async (namespace: string, name: string) => await podUid(client, namespace, name);
  await serveStreaming({ agents, nodeName, uidOf }, urlOf(incoming), { headers: incoming.headers, ...open });
}

/** Undefined when there is no such Pod. */
async function podUid(client: Pick<KubeClient, "get">, namespace: string, name: string): Promise<string | undefined> {
  try {
    return (await client.get(pods, { namespace, name })).metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function urlOf({ url = "/" }: IncomingMessage): URL {
  return new URL(url, "https://node");
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function answer(deps: KubeletServerDeps, { incoming, outgoing }: Exchange, stop: AbortSignal): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stop]);
  const refuse = (code: number, why: string) => void outgoing.writeHead(code).end(why);
  if (!isApiServer(incoming)) return refuse(403, "Forbidden");
  const url = urlOf(incoming);
  const [, root, ...names] = url.pathname.split("/").map(decodeURIComponent);
  try {
    if (root === "containerLogs") return await answerLog(deps, { names, url, outgoing }, signal);
    const page = await deps.agents.page(deps.nodeName, url.pathname.slice(1), signal);
    if (page === undefined) return refuse(404, "404 page not found\n");
    outgoing.writeHead(200, { "content-type": page.contentType }).end(page.body);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else refuse(500, error instanceof Error ? error.message : "unknown");
  }
}

interface LogQuestion {
  readonly names: readonly string[];
  readonly url: URL;
  readonly outgoing: ServerResponse;
}

async function answerLog(deps: KubeletServerDeps, question: LogQuestion, signal: AbortSignal): Promise<void> {
  const { names, url, outgoing } = question;
  const [namespace = "", pod = "", container = ""] = names;
  const { metadata } = await deps.client.get(pods, { namespace, name: pod });
  const asked = { namespace, pod, uid: metadata.uid ?? "", container, node: deps.nodeName };
  await sendLog(deps.agents.log(asked, logOptions(url.searchParams), signal), outgoing);
}

/** As the API server asks for them. */
function logOptions(query: URLSearchParams): LogOptions {
  const isSet = (name: string) => query.get(name) === "true";
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return {
    follow: isSet("follow"),
    previous: isSet("previous"),
    timestamps: isSet("timestamps"),
    sinceSeconds: number("sinceSeconds"),
    sinceTime: query.get("sinceTime") ?? undefined,
    tailLines: number("tailLines"),
    limitBytes: number("limitBytes"),
  };
}

/** The authority signs certificates of others, too. */
function isApiServer({ socket }: IncomingMessage): boolean {
  return (socket as TLSSocket).getPeerCertificate().subject?.O === askingGroup;
}
