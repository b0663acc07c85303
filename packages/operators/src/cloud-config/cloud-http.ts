import { type IncomingMessage, Agent as PlainAgent, type RequestOptions, request as requestPlain } from "node:http";
import { request as requestSecure, Agent as SecureAgent } from "node:https";
import { getCACertificates } from "node:tls";
import { StowageError } from "@stowage/machinery";

export interface CloudHttpOptions {
  /** In PEM: an authority that only this cloud has, trusted beside those that everybody knows. */
  readonly authority?: string;
  readonly isVerified: boolean;
  /** For `HTTPS_PROXY` and its like. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CloudRequest {
  /** What is asked for, in messages: `Keystone for a token`. */
  readonly what: string;
  readonly url: string;
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a body: fields, as a form of a page sends them. */
  readonly form?: Readonly<Record<string, string>>;
  /** Likewise: a document of vSphere's web services. */
  readonly xml?: string;
}

export interface CloudAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Undefined when it is no JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** The seam to a cloud: an answer of whatever status, or CLOUD_UNREACHABLE when there is none. */
export type CloudHttp = (request: CloudRequest, signal: AbortSignal) => Promise<CloudAnswer>;

const TIMEOUT_MS = 120_000;
/** Lists of share types are a few thousand bytes. */
const MAXIMUM_BYTES = 8 * 1024 * 1024;

export function createCloudHttp({ authority, isVerified, env }: CloudHttpOptions): CloudHttp {
  const ca = authority === undefined ? undefined : [...getCACertificates("default"), authority];
  const agents = {
    secure: new SecureAgent({ ca, rejectUnauthorized: isVerified, proxyEnv: env }),
    plain: new PlainAgent({ proxyEnv: env }),
  };
  return async (request, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      return await exchange(request, agents, limit);
    } catch (error) {
      signal.throwIfAborted();
      const { host } = new URL(request.url);
      throw new StowageError("CLOUD_UNREACHABLE", `${host} was asked ${request.what}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  };
}

interface Agents {
  readonly secure: SecureAgent;
  readonly plain: PlainAgent;
}

function exchange(request: CloudRequest, { secure, plain }: Agents, signal: AbortSignal): Promise<CloudAnswer> {
  const { url, method = "GET", headers } = request;
  const { text, contentType } = contentOf(request);
  const isSecure = new URL(url).protocol === "https:";
  const options: RequestOptions = {
    method,
    agent: isSecure ? secure : plain,
    signal,
    headers: {
      accept: "application/json",
      ...(text !== undefined && {
        "content-type": contentType,
        "content-length": String(Buffer.byteLength(text)),
      }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestSecure : requestPlain)(url, options, (response) => {
      answerOf(response).then(resolve, reject);
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

function contentOf({ body, form, xml }: CloudRequest): { readonly text?: string; readonly contentType: string } {
  if (form !== undefined) {
    return { text: new URLSearchParams(form).toString(), contentType: "application/x-www-form-urlencoded" };
  }
  if (xml !== undefined) return { text: xml, contentType: "text/xml; charset=utf-8" };
  return { ...(body !== undefined && { text: JSON.stringify(body) }), contentType: "application/json" };
}

async function answerOf(response: IncomingMessage): Promise<CloudAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAXIMUM_BYTES) throw new RangeError(`the answer has more than ${MAXIMUM_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, headers: response.headers, body: jsonOf(text), text };
}

/** Proxies answer in HTML; whoever looks for a field then finds none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "TimeoutError" ? `no answer within ${TIMEOUT_MS / 1000} s` : error.message;
}
