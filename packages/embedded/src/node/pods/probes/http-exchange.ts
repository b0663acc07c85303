import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import type { HttpRequest } from "./http-request.ts";
import { dialFailure, isDialFailure, messageOf } from "./network-failure.ts";
import type { ProbeTime } from "./probe-outcome.ts";

const MOST_BODY_BYTES = 10 * 1024;
const MOST_REDIRECTS = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface HttpAnswer {
  readonly status: number;
  /** Its beginning. */
  readonly body: string;
}

/**
 * Asks, and follows redirects to the same host. Certificates are not looked at: who answers at a Pod's address is the Pod. Throws
 * `PROBE_FAILED` in the words of Go.
 */
export async function exchangeHttp(asked: HttpRequest, time: ProbeTime): Promise<HttpAnswer> {
  const firstHost = new URL(asked.url).hostname;
  const signal = AbortSignal.any([time.signal, AbortSignal.timeout(time.timeoutMs)]);
  let url = asked.url;
  for (let count = 0; ; count++) {
    const answer = await exchangeOnce({ ...asked, url }, signal).catch((error: unknown) => {
      const message = `Get ${JSON.stringify(url)}: ${failureText(error, url, signal)}`;
      throw new StowageError("PROBE_FAILED", message, { cause: error });
    });
    const next = redirects.has(answer.status) ? answer.location : undefined;
    if (next === undefined) return answer;
    if (!URL.canParse(next, url)) {
      const why = `failed to parse Location header ${JSON.stringify(next)}`;
      throw new StowageError("PROBE_FAILED", `Get ${JSON.stringify(url)}: ${why}`);
    }
    const target = new URL(next, url);
    if (target.hostname !== firstHost) return answer;
    if (count + 1 >= MOST_REDIRECTS) {
      throw new StowageError("PROBE_FAILED", `Get ${JSON.stringify(target.href)}: stopped after 10 redirects`);
    }
    url = target.href;
  }
}

/** Whether a request failed because the server speaks plain HTTP, where HTTPS was expected. */
export function spokePlainHttp(error: unknown): boolean {
  return hasErrorCode(error, "PROBE_FAILED") && isNoTls(error.cause);
}

/** What plain HTTP looks like to whoever expects TLS. */
function isNoTls(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG";
}

async function exchangeOnce(
  { url, headers }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer & { readonly location: string | undefined }> {
  const asking = opened(url, headers, signal);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asking.once("response", resolve);
  asking.on("error", reject);
  asking.end();
  try {
    const response = await promise;
    const { statusCode: status = 0, headers: told } = response;
    return { status, body: await beginningOf(response), location: told.location };
  } finally {
    asking.destroy();
  }
}

function opened(url: string, headers: HttpRequest["headers"], signal: AbortSignal): ClientRequest {
  const isHttps = url.startsWith("https:");
  const request = isHttps
    ? httpsRequest(url, { agent: false, rejectUnauthorized: false, signal })
    : httpRequest(url, { agent: false, signal });
  for (const name of new Set(headers.map((header) => header.name.toLowerCase()))) {
    const values = headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
    request.setHeader(name, values.length === 1 ? (values[0] ?? "") : values);
  }
  return request;
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MOST_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BODY_BYTES).toString();
}

function failureText(error: unknown, url: string, signal: AbortSignal): string {
  if (signal.aborted) return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  const { host, protocol, port } = new URL(url);
  const address = port === "" ? `${host}:${protocol === "https:" ? 443 : 80}` : host;
  if (isDialFailure(error)) return dialFailure(error, address);
  if (isNoTls(error)) return "http: server gave HTTP response to HTTPS client";
  return (error as NodeJS.ErrnoException).code === "ECONNRESET" ? "EOF" : messageOf(error);
}
