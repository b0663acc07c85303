import { isInternalError, isServerTimeout, isServiceUnavailable, isTooManyRequests } from "@stowage/kube";
import { type Clock, type ErrorCode, hasErrorCode } from "@stowage/machinery";

const AGAIN_MS = 500;

const connectionCodes: readonly ErrorCode[] = [
  "CONNECTION_FAILED",
  "CONNECTION_REFUSED",
  "CONNECTION_RESET",
  "CONNECTION_TIMEOUT",
  "RESPONSE_CUT_OFF",
  "RESPONSE_TIMEOUT",
];

/** Whether a server, or the store behind it, is not there just now. */
function isOutage(error: unknown): boolean {
  const isUnable = [isInternalError, isServerTimeout, isServiceUnavailable, isTooManyRequests].some((is) => is(error));
  return isUnable || connectionCodes.some((code) => hasErrorCode(error, code));
}

/** Does again what can be done again, until it is done or the signal is aborted: a server of another process ends by itself, and comes back. */
export async function despiteOutages(clock: Clock, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await clock.sleep(AGAIN_MS, signal).catch(() => {}); // Aborted: nobody waits any more.
  }
}
