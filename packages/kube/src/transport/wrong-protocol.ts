import { Readable } from "node:stream";
import { wantsHttps } from "./connection-error.ts";
import type { ResponseStream } from "./stream-exchange.ts";
import type { HttpResponse } from "./transport.ts";

/** Go's servers answer plain HTTP on their HTTPS port by a 400 of HTTP/1.0 with this sentence as its body. */
const goSentence = "HTTP request to an HTTPS server";

export function mayBeHttpsServer(response: ResponseStream, server: string): boolean {
  return response.statusCode === 400 && response.httpVersion === "1.0" && server.startsWith("http:");
}

/** Fails when the body is that sentence; gives the response back when it is anything else. */
export async function unlessHttpsServer(response: HttpResponse, server: string): Promise<HttpResponse> {
  const chunks = (await response.body.toArray()) as Buffer[];
  if (Buffer.concat(chunks).includes(goSentence)) {
    throw wantsHttps(server);
  }
  return { ...response, body: Readable.from(chunks) };
}
