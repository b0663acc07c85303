import { isatty } from "node:tty";
import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import { createAuthenticator } from "../config/create-authenticator.ts";
import { readTextFile } from "../config/file-reader.ts";
import type { ConnectionConfig, FileReader } from "../config/index.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { HttpTransport } from "./http-transport.ts";
import { RequestSlots } from "./request-slots.ts";
import type { Transport } from "./transport.ts";
import { defaultUserAgent } from "./user-agent.ts";

export interface TransportOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly userAgent?: string;
  /** For the whole way to a usable connection: name, TCP, proxy, TLS. */
  readonly connectTimeoutMs?: number;
  /**
   * How long an answer may take to begin. It bounds the wait on a connection whose other end has vanished, where TCP itself
   * would go on for a quarter of an hour. The API server gives up on a request after a minute.
   */
  readonly responseHeaderTimeoutMs?: number;
  /**
   * How many requests may be under way at once, watches aside; the others wait. Each needs a connection, and so memory and time for
   * its beginning on both sides. No limit when left out.
   */
  readonly maxRequests?: number;
  /** How long a connection is kept without use. */
  readonly idleTimeoutMs?: number;
  /** Whether a credential plugin may ask a person on the standard input; by default, when that is a terminal. */
  readonly isInteractive?: boolean;
  readonly pluginTimeoutMs?: number;
  /** Receives what credential plugins say on their standard error; by default it goes to ours. */
  readonly onPluginStderr?: (text: string) => void;
  readonly readFile?: FileReader;
}

/** Builds all that requests need from plain data, so that a worker thread can do it from its own copy. */
export function createTransport(config: ConnectionConfig, options: TransportOptions = {}): Transport {
  const files = {
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
    readFile: options.readFile ?? readTextFile,
  };
  const isInteractive = options.isInteractive ?? isatty(0);
  const closing = new AbortController();
  const plugin = {
    isInteractive,
    signal: closing.signal,
    // A person who logs in by a browser needs minutes.
    timeoutMs: options.pluginTimeoutMs ?? (isInteractive ? 300_000 : 60_000),
    onStderr: options.onPluginStderr,
  };
  const authenticator = createAuthenticator(config.credentials, { ...files, plugin });
  const pool = new ConnectionPool(config, {
    authenticator,
    files,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 90_000,
  });
  return new HttpTransport(config, {
    authenticator,
    pool,
    closing,
    userAgent: options.userAgent ?? defaultUserAgent,
    responseHeaderTimeoutMs: options.responseHeaderTimeoutMs ?? 90_000,
    slots: new RequestSlots(options.maxRequests ?? Number.POSITIVE_INFINITY),
  });
}
