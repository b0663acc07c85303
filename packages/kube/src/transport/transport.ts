import type { Readable } from "node:stream";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Absolute path on the server, with the query: `/api/v1/pods?limit=500`. The server's own base path is put before it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The answer has no end for a long time, as a watch has: it gets a connection of its own, which is closed after it. */
  readonly isStream?: boolean;
  /** Aborting destroys the request, or the response while it is being read. */
  readonly signal?: AbortSignal;
  /** How long to wait for the answer to begin, when not as long as the transport waits by default. */
  readonly responseHeaderTimeoutMs?: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives, already decompressed. Must be read to the end or destroyed. */
  readonly body: Readable;
}

/**
 * The seam between the client and the network: one request, one response, whatever the status. It puts the credentials on,
 * renews them once when the server answers 401, and keeps connections alive. It never retries otherwise, but for a read that
 * met a kept connection which the server was just closing, and knows nothing of the API. A failure to get any response is a StowageError that names the URL (never credentials) and the next step.
 */
export interface Transport {
  /** Where requests go, for messages: `https://10.0.0.1:6443`. */
  readonly server: string;
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections; requests under way end with an error. */
  close(): void;
}
