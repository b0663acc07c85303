import type { Clock, Logger } from "@stowage/machinery";
import type { HttpMethod, HttpResponse, Transport } from "../transport/transport.ts";
import type { FailedRequest } from "./api-status-error.ts";
import { deadline } from "./deadline.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { readFailure, readJson } from "./response-body.ts";
import { retryDelayMs } from "./retry-policy.ts";

interface ApiRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly retry?: boolean;
  readonly isStream?: boolean;
}

/** Told of every answer or failure: metrics hang on it. `path` has no query. */
export interface RequestObserver {
  onRequest(outcome: { method: HttpMethod; path: string; status: number | undefined; durationMs: number }): void;
}

export interface RequesterDeps {
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer?: RequestObserver;
  readonly timeoutMs: number;
}

/** Sends requests to the API: waits for its turn, retries where that is safe, keeps to a deadline, decodes the answer. */
export interface Requester {
  readonly server: string;
  /** One answer as JSON. */
  json<T>(request: ApiRequest): Promise<T>;
  /** An answer whose body the caller reads, watches for instance. Rejects when the answer is an error. No retry, no deadline. */
  open(request: ApiRequest): Promise<HttpResponse>;
}

export function createRequester(deps: RequesterDeps): Requester {
  return {
    server: deps.transport.server,
    json: (request) => jsonWithRetries(deps, request),
    open: async (request) => {
      await deps.rateLimiter.acquire(request.signal);
      const response = await sendOnce(deps, { ...request, isStream: true }, request.signal);
      if (response.status >= 400) throw await readFailure(response, describe(deps, request));
      return response;
    },
  };
}

async function jsonWithRetries<T>(deps: RequesterDeps, request: ApiRequest): Promise<T> {
  const about = describe(deps, request);
  using limit = deadline(`${about.method} ${about.url}`, request.timeoutMs ?? deps.timeoutMs, request.signal);
  for (let attempt = 1; ; attempt++) {
    await deps.rateLimiter.acquire(limit.signal);
    try {
      const response = await sendOnce(deps, request, limit.signal);
      return await readJson<T>(response, about, limit.signal);
    } catch (error) {
      limit.signal.throwIfAborted();
      const delayMs = request.retry === false ? undefined : retryDelayMs({ method: request.method, attempt, error });
      if (delayMs === undefined) throw error;
      deps.logger.debug({ ...about, attempt, delayMs, error }, "request will be tried again");
      await deps.clock.sleep(delayMs, limit.signal);
    }
  }
}

async function sendOnce(deps: RequesterDeps, request: ApiRequest, signal?: AbortSignal): Promise<HttpResponse> {
  const startedMs = deps.clock.monotonicMs();
  const observe = (status: number | undefined) => {
    deps.rateLimiter.answered?.(status);
    deps.observer?.onRequest({
      method: request.method,
      path: withoutQuery(request.path),
      status,
      durationMs: deps.clock.monotonicMs() - startedMs,
    });
  };
  const headers: Record<string, string> = { accept: request.accept ?? "application/json" };
  if (request.body !== undefined) headers["content-type"] = request.contentType ?? "application/json";
  try {
    const response = await deps.transport.send({
      method: request.method,
      path: request.path,
      headers,
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      isStream: request.isStream,
      signal,
    });
    observe(response.status);
    return response;
  } catch (error) {
    observe(undefined);
    throw error;
  }
}

function describe(deps: RequesterDeps, request: ApiRequest): FailedRequest {
  return { method: request.method, url: deps.transport.server + withoutQuery(request.path) };
}

function withoutQuery(path: string): string {
  const at = path.indexOf("?");
  return at < 0 ? path : path.slice(0, at);
}
