import type { IncomingMessage, RequestOptions } from "node:http";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import type { AuthenticationHeaders, Authenticator, ConnectionConfig } from "../config/index.ts";
import { abortable } from "./abortable.ts";
import { toConnectionError } from "./connection-error.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { ExchangeFailure, exchange } from "./exchange.ts";
import { proxyAuthorization } from "./http-tunnel.ts";
import type { RequestSlots } from "./request-slots.ts";
import { toHttpResponse } from "./response-body.ts";
import { isForwarding } from "./route.ts";
import type { ServerAgent } from "./server-agent.ts";
import { type ResponseStream, streamExchange } from "./stream-exchange.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";
import { mayBeHttpsServer, unlessHttpsServer } from "./wrong-protocol.ts";

export interface HttpTransportDeps {
  readonly authenticator: Authenticator;
  readonly pool: ConnectionPool;
  /** Aborted by `close`, for whoever works on behalf of this transport. */
  readonly closing: AbortController;
  readonly userAgent: string;
  readonly responseHeaderTimeoutMs: number;
  /** Of requests that are not streams. */
  readonly slots: RequestSlots;
}

interface Credentials {
  readonly headers: AuthenticationHeaders;
  readonly agent: ServerAgent;
}

export class HttpTransport implements Transport {
  readonly server: string;
  readonly #deps: HttpTransportDeps;
  readonly #pathPrefix: string;
  readonly #baseHeaders: Readonly<Record<string, string>>;

  constructor(config: ConnectionConfig, deps: HttpTransportDeps) {
    const url = new URL(config.server);
    const forwarding = isForwarding(url, config.proxy);
    const forProxy =
      forwarding && config.proxy !== undefined ? proxyAuthorization(new URL(config.proxy.url)) : undefined;
    this.server = config.server;
    this.#deps = deps;
    this.#pathPrefix = forwarding ? config.server : url.pathname.replace(/\/+$/, "");
    this.#baseHeaders = {
      host: url.host,
      "user-agent": deps.userAgent,
      ...(config.disableCompression === true ? {} : { "accept-encoding": "gzip" }),
      ...(forProxy === undefined ? {} : { "proxy-authorization": forProxy }),
    };
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const used = await this.#credentials(request);
    let response = await this.#exchangeSafely(request, used);
    if (response.statusCode === 401) {
      const renewed = await this.#renew(request, used).catch((error: unknown) => {
        response.destroy();
        throw error;
      });
      if (renewed !== undefined) {
        response.resume();
        response = await this.#exchangeSafely(request, renewed);
      }
    }
    const answer = toHttpResponse(response, request.method === "HEAD");
    return mayBeHttpsServer(response, this.server) ? unlessHttpsServer(answer, this.server) : answer;
  }

  close(): void {
    this.#deps.closing.abort(new StowageError("TRANSPORT_CLOSED", `The client for ${this.server} was closed.`));
    this.#deps.pool.destroy();
  }

  #isClosed(): boolean {
    return this.#deps.closing.signal.aborted;
  }

  async #credentials({ signal }: HttpRequest): Promise<Credentials> {
    const { authenticator, pool, closing } = this.#deps;
    signal?.throwIfAborted();
    closing.signal.throwIfAborted();
    const [headers, agent] = await abortable(Promise.all([authenticator.headers(), pool.agent()]), signal);
    closing.signal.throwIfAborted();
    return { headers, agent };
  }

  /** New credentials after a refusal, or nothing when there are no others than those refused. */
  async #renew(request: HttpRequest, refused: Credentials): Promise<Credentials | undefined> {
    // Many requests may be refused at once: only the first of them finds the credentials it was refused with still in use.
    const current = await this.#credentials(request);
    if (!isSame(current, refused)) {
      return current;
    }
    this.#deps.authenticator.invalidate();
    const renewed = await this.#credentials(request);
    return isSame(renewed, refused) ? undefined : renewed;
  }

  /**
   * A server closes idle connections when it likes. A read that went out on one just then is sent again, on a new connection;
   * a write is not, since the server may have done it.
   */
  async #exchangeSafely(request: HttpRequest, credentials: Credentials): Promise<ResponseStream> {
    try {
      return await this.#exchange(request, credentials);
    } catch (error) {
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead || this.#isClosed() || !isStaleConnection(error)) {
        throw this.#explain(error, request);
      }
    }
    credentials.agent.dropIdle();
    try {
      return await this.#exchange(request, credentials);
    } catch (error) {
      throw this.#explain(error, request);
    }
  }

  #exchange(request: HttpRequest, { headers, agent }: Credentials): Promise<ResponseStream> {
    const { signal } = request;
    // As bytes: Node would join a string to the head and encode both as UTF-8, though header values are bytes already.
    const body = typeof request.body === "string" ? Buffer.from(request.body, "utf8") : request.body;
    const options: RequestOptions = {
      agent,
      method: request.method,
      path: this.#pathPrefix + request.path,
      headers: {
        ...this.#baseHeaders,
        ...headers,
        ...(body === undefined ? {} : { "content-length": body.byteLength }),
        ...request.headers,
      },
    };
    const details = {
      options,
      name: this.#nameOf(request),
      responseHeaderTimeoutMs: request.responseHeaderTimeoutMs ?? this.#deps.responseHeaderTimeoutMs,
      signal,
    };
    return request.isStream
      ? streamExchange({ ...details, server: this.server }, agent)
      : this.#inSlot(signal, () => exchange({ ...details, body }));
  }

  /** The slot is free again when the connection is: at the end of the answer's body. */
  async #inSlot(signal: AbortSignal | undefined, send: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
    const giveBack = await this.#deps.slots.take(signal);
    try {
      // It may have been closed while this one waited.
      this.#deps.closing.signal.throwIfAborted();
      const response = await send();
      response.once("close", giveBack);
      return response;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #explain(error: unknown, request: HttpRequest): unknown {
    if (!(error instanceof ExchangeFailure)) {
      return error;
    }
    if (this.#isClosed()) {
      return new StowageError("TRANSPORT_CLOSED", `${this.#nameOf(request)}: the client was closed.`, {
        cause: error.cause,
      });
    }
    const explained = toConnectionError(error.cause, this.server, this.#nameOf(request));
    if (hasErrorCode(explained, "CLIENT_CERTIFICATE_REFUSED")) {
      this.#deps.authenticator.invalidate();
    }
    if (hasErrorCode(explained, "SERVER_CERTIFICATE_UNTRUSTED")) {
      this.#deps.pool.invalidateAuthority();
    }
    return explained;
  }

  #nameOf({ method, path }: HttpRequest): string {
    return `${method} ${this.server}${path.split("?", 1)[0] ?? ""}`;
  }
}

function isSame(a: Credentials, b: Credentials): boolean {
  return a.agent === b.agent && JSON.stringify(a.headers) === JSON.stringify(b.headers);
}

function isStaleConnection(error: unknown): boolean {
  if (!(error instanceof ExchangeFailure) || !error.usedIdleConnection) {
    return false;
  }
  const { code } = error.cause as NodeJS.ErrnoException;
  return code === "ECONNRESET" || code === "EPIPE";
}
