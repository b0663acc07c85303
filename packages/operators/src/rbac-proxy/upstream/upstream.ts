import type { Readable, Writable } from "node:stream";
import type { Headers } from "./forwarded-headers.ts";

export interface UpstreamRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Complete when the body has ended. */
  trailers(): Headers;
}

/** One request under way. */
export interface UpstreamExchange {
  readonly body: Writable;
  /** Rejects when there is none: the upstream is down, or has hung up. */
  readonly response: Promise<UpstreamResponse>;
  /** Gives it up; nothing happens when it is complete. */
  abort(): void;
}

/** The one server behind the proxy. */
export interface Upstream {
  /** For messages. */
  readonly url: string;
  open(request: UpstreamRequest): UpstreamExchange;
  close(): void;
}

/** `/base` and `/path` as one, with one slash between them. */
export function joinPaths(base: string, path: string): string {
  return `${base.replace(/\/$/, "")}${path}`;
}

/** For messages: without a password that somebody has put into it. */
export function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
