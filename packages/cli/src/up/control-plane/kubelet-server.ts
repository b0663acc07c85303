import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { type LocalAgents, type LogOptions, sendLog } from "@stowage/embedded";
import type { KubeClient } from "@stowage/kube";
import { pods } from "@stowage/machinery";

export interface KubeletServerDeps {
  readonly nodeName: string;
  readonly host: string;
  /** PEM: whose clients are let in, and what this node shows. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  /** What answers. */
  readonly agents: Pick<LocalAgents, "log" | "page">;
  readonly client: Pick<KubeClient, "get">;
}

export interface KubeletServer extends AsyncDisposable {
  readonly port: number;
}

/** Whom the real API server asks kubelets as. */
const askingGroup = "system:masters";

/** What a node answers to the real API server in kubelet's own words: logs, and what it says of itself. Commands (SPDY) it does not take. */
export async function startKubeletServer(deps: KubeletServerDeps): Promise<KubeletServer> {
  const server = createServer({ ...deps.tls, requestCert: true, rejectUnauthorized: true });
  const stop = new AbortController();
  server.on("tlsClientError", () => {}); // Of strangers; there is nobody to tell.
  server.on("request", (incoming, outgoing) => void answer(deps, { incoming, outgoing }, stop.signal));
  server.on("upgrade", (_incoming, socket) => {
    const why = "commands and ports of Pods are not served here";
    socket.end(`HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: ${why.length}\r\n\r\n${why}`);
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
      await closed;
    },
  };
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
  const url = new URL(incoming.url ?? "/", "https://node");
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
