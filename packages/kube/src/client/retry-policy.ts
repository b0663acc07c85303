import { hasErrorCode } from "@stowage/machinery";
import type { HttpMethod } from "../transport/transport.ts";
import { ApiStatusError } from "./api-status-error.ts";

/** A busy server asks to be asked again, and means it. */
const MAXIMUM_ATTEMPTS_WHEN_BUSY = 10;
/** A connection that fails, or a server that fails, may do so for good: somebody waits to be told. */
const MAXIMUM_ATTEMPTS_WHEN_FAILING = 4;
const BASE_DELAY_MS = 100;
const MAXIMUM_DELAY_MS = 5_000;

export interface FailedAttempt {
  readonly method: HttpMethod;
  /** 1 for the first. */
  readonly attempt: number;
  readonly error: unknown;
}

/**
 * How long to wait before the same request is sent again; undefined when it must not be. A 429 means that the server did
 * nothing, so any request may be repeated. After any other failure a write may have happened, so only reads are repeated.
 */
export function retryDelayMs(
  { method, attempt, error }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  if (error instanceof ApiStatusError) {
    const isBusy = error.httpStatus === 429;
    const isReadOfFailingServer = isRead(method) && error.httpStatus >= 500;
    if (!isBusy && !isReadOfFailingServer) return undefined;
    if (attempt >= (isBusy ? MAXIMUM_ATTEMPTS_WHEN_BUSY : MAXIMUM_ATTEMPTS_WHEN_FAILING)) return undefined;
    const askedSeconds = error.status.details?.retryAfterSeconds;
    if (askedSeconds !== undefined && askedSeconds > 0) return askedSeconds * 1000;
    return backoffMs(attempt, random);
  }
  const isPassing = isRead(method) && RETRIED_CODES.some((code) => hasErrorCode(error, code));
  return isPassing && attempt < MAXIMUM_ATTEMPTS_WHEN_FAILING ? backoffMs(attempt, random) : undefined;
}

/** Failures on the way that may be gone at the next try; a wrong certificate or name will not be. */
const RETRIED_CODES = ["CONNECTION_RESET", "RESPONSE_CUT_OFF"] as const;

function isRead(method: HttpMethod): boolean {
  return method === "GET" || method === "HEAD";
}

function backoffMs(attempt: number, random: () => number): number {
  const ceilingMs = Math.min(MAXIMUM_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1));
  return ceilingMs * (0.5 + random() / 2);
}
