import type { ResourceRequest } from "../requests/index.ts";

/** Who asks, as they were recognised. */
export interface ApiUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request for a resource, with all that waiting was needed for: whoever sent it is known, and its body has been read. */
export interface ApiRequest {
  readonly info: ResourceRequest;
  readonly query: URLSearchParams;
  readonly user: ApiUser;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  /** As it was sent; undefined when there was none. */
  readonly body: string | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** What is sent back: the text of an object, or one text after the other. */
export interface ApiAnswer {
  readonly code: number;
  readonly body: string | AsyncIterable<string | Uint8Array>;
  /** Of a body that is no object; `application/json` when left out. */
  readonly contentType?: string;
  /** Each becomes a `Warning` header. */
  readonly warnings?: readonly string[];
}
