import type { IncomingMessage, RequestOptions } from "node:http";
import type { Readable } from "node:stream";
import { StowageError } from "@stowage/machinery";
import { request } from "./node-http.ts";

export interface Exchange {
  readonly options: RequestOptions;
  readonly body?: Uint8Array;
  /** For messages. */
  readonly name: string;
  readonly responseHeaderTimeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A failed exchange, with what decides whether it may be tried again. */
export class ExchangeFailure extends Error {
  readonly usedIdleConnection: boolean;

  constructor(cause: unknown, usedIdleConnection: boolean) {
    super("The exchange failed", { cause });
    this.usedIdleConnection = usedIdleConnection;
  }
}

/**
 * Sends one request and resolves when the head of its response is there. Aborting rejects with the signal's reason, or, once
 * the response is there, ends its body with that reason.
 */
export async function exchange(exchange: Exchange): Promise<IncomingMessage> {
  const { signal } = exchange;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const outgoing = request(exchange.options);
    // Rejects at once: a request that still waits for its connection would report its end only after that.
    const giveUp = (reason: unknown) => {
      settle();
      reject(reason);
      outgoing.destroy();
    };
    const onAbort = () => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(noResponse(exchange)), exchange.responseHeaderTimeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort);
    outgoing.once("response", (response) => {
      settle();
      endOnAbort(response, signal);
      resolve(response);
    });
    // Stays for good: after the response its body gets the error, and what comes here must not end the process.
    outgoing.on("error", (error) => {
      settle();
      reject(new ExchangeFailure(error, outgoing.reusedSocket));
    });
    outgoing.end(exchange.body);
  });
}

export function endOnAbort(response: Readable, signal: AbortSignal | undefined): void {
  if (signal === undefined) {
    return;
  }
  const onAbort = () => response.destroy(signal.reason as Error);
  signal.addEventListener("abort", onAbort);
  response.once("close", () => signal.removeEventListener("abort", onAbort));
}

export function noResponse({ name, responseHeaderTimeoutMs }: Exchange): StowageError {
  return new StowageError("RESPONSE_TIMEOUT", `${name}: no answer began within ${responseHeaderTimeoutMs / 1000} s.`);
}
