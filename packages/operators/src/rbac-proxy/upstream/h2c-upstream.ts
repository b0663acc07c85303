import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import type { Headers } from "./forwarded-headers.ts";
import {
  joinPaths,
  nameOf,
  type Upstream,
  type UpstreamExchange,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./upstream.ts";

/** An upstream that speaks HTTP/2 without TLS, as gRPC servers do. All requests share a connection, made anew when it ends. */
export function createH2cUpstream(url: URL): Upstream {
  let session: ClientHttp2Session | undefined;
  const connected = () => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    session = connect(url.origin);
    // Its requests fail by themselves, and tell.
    session.on("error", () => {});
    return session;
  };
  const open = ({ method, path, headers }: UpstreamRequest): UpstreamExchange => {
    const { host, ...others } = headers;
    const stream = connected().request({
      ...others,
      ":method": method,
      ":path": joinPaths(url.pathname, path),
      ...(typeof host === "string" ? { ":authority": host } : {}),
      te: "trailers",
    });
    let trailers: Headers = {};
    stream.on("trailers", (received: IncomingHttpHeaders) => {
      trailers = plain(received);
    });
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    stream.once("response", (received: IncomingHttpHeaders) => {
      resolve({
        status: Number(received[":status"]),
        headers: plain(received),
        body: stream,
        trailers: () => trailers,
      });
    });
    stream.on("error", reject);
    stream.once("close", () => reject(new Error("the upstream closed the request")));
    return { body: stream, response: promise, abort: () => stream.close(constants.NGHTTP2_CANCEL) };
  };
  return { url: nameOf(url), open, close: () => session?.destroy() };
}

function plain(received: IncomingHttpHeaders): Headers {
  const kept = Object.entries(received).filter(([name, value]) => !name.startsWith(":") && value !== undefined);
  return Object.fromEntries(kept) as Headers;
}
