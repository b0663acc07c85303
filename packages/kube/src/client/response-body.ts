import type { Readable } from "node:stream";
import { StowageError } from "@stowage/machinery";
import type { HttpResponse } from "../transport/transport.ts";
import { type ApiStatus, ApiStatusError, type FailedRequest } from "./api-status-error.ts";
import { excerpt, excerptOfEnd } from "./excerpt.ts";

/** The whole body as text. A body that ends too early is an error that names the URL. */
export async function readText(body: Readable, request: FailedRequest, signal?: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new StowageError("RESPONSE_CUT_OFF", `${request.method} ${request.url}: the answer broke off in the middle`, {
      cause: error,
    });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The body as JSON, or the error that an answer of another kind means. */
export async function readJson<T>(response: HttpResponse, request: FailedRequest, signal?: AbortSignal): Promise<T> {
  const text = await readText(response.body, request, signal);
  if (response.status >= 400) throw new ApiStatusError(statusOf(response, text), request);
  if (!isJson(response)) throw notAnApi(response, text, request);
  return parseJson(text, request) as T;
}

/** The error that an answer of 400 or more stands for; reads the body. */
export async function readFailure(response: HttpResponse, request: FailedRequest): Promise<ApiStatusError> {
  const text = await readText(response.body, request);
  return new ApiStatusError(statusOf(response, text), request);
}

export function isJson(response: HttpResponse): boolean {
  return /^application\/([\w.-]+\+)?json\b/.test(response.headers["content-type"] ?? "");
}

export function notAnApi(response: HttpResponse, text: string, request: FailedRequest): StowageError {
  const type = response.headers["content-type"] ?? "no content type";
  return new StowageError(
    "NOT_A_KUBERNETES_API",
    `${request.method} ${request.url}: the server answered ${response.status} with ${type}, not JSON: ${excerpt(text)}`,
  );
}

function parseJson(text: string, request: FailedRequest): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StowageError(
      "MALFORMED_RESPONSE",
      `${request.method} ${request.url}: the answer of ${text.length} characters is not valid JSON; it ends with ${excerptOfEnd(text)}`,
      { cause: error },
    );
  }
}

function statusOf(response: HttpResponse, text: string): ApiStatus {
  if (isJson(response)) {
    const parsed = parseStatus(text);
    if (parsed !== undefined) return withRetryAfter({ ...parsed, code: parsed.code ?? response.status }, response);
  }
  return withRetryAfter({ code: response.status, message: excerpt(text) }, response);
}

/** A proxy on the way, and the API server's own filters, say when to come back in the header alone. */
function withRetryAfter(status: ApiStatus, response: HttpResponse): ApiStatus {
  const seconds = Number(response.headers["retry-after"]);
  if (!Number.isFinite(seconds) || seconds <= 0 || status.details?.retryAfterSeconds) return status;
  return { ...status, details: { ...status.details, retryAfterSeconds: seconds } };
}

function parseStatus(text: string): ApiStatus | undefined {
  try {
    const parsed = JSON.parse(text) as ApiStatus | null;
    return parsed !== null && typeof parsed === "object" && parsed.kind === "Status" ? parsed : undefined;
  } catch {
    return undefined; // The HTTP status says enough; the text is shown as it came.
  }
}
