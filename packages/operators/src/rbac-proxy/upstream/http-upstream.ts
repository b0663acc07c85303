import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { endToEndHeaders } from "./forwarded-headers.ts";
import {
  joinPaths,
  nameOf,
  type Upstream,
  type UpstreamExchange,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./upstream.ts";

export interface UpstreamTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Kept for a burst of requests, which would otherwise leave 25 MB behind, and for no longer: a connection that the upstream is just
 * closing would fail the request that is sent over it. The time is that of an unused connection; a request may take longer.
 */
const connections = { keepAlive: true, maxFreeSockets: 4, timeout: 2_000 };

/** An upstream by HTTP/1.1. */
export function createHttpUpstream(url: URL, tls: UpstreamTls): Upstream {
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ ...tls, ...connections }) : new HttpAgent(connections);
  const send = isSecure ? httpsRequest : httpRequest;
  const open = ({ method, path, headers }: UpstreamRequest): UpstreamExchange => {
    // As a name it would be taken with its brackets.
    const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const servername = isSecure ? { servername: hostname } : {};
    const target = { agent, method, headers, hostname, port: url.port, path: joinPaths(url.pathname, path) };
    const request = send({ ...target, ...servername });
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    request.once("response", (response) => resolve(responseOf(response)));
    request.on("error", reject);
    return { body: request, response: promise, abort: () => void request.destroy() };
  };
  return { url: nameOf(url), open, close: () => agent.destroy() };
}

function responseOf(message: IncomingMessage): UpstreamResponse {
  return {
    status: message.statusCode ?? 502,
    headers: endToEndHeaders(message.rawHeaders),
    body: message,
    trailers: () => endToEndHeaders(message.rawTrailers),
  };
}
