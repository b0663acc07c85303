import type { Event } from "@stowage/machinery";

/** What a driver answered to a call, as sidecars write it into events and statuses. */
export interface RpcFailure {
  /** As Go writes it: `ResourceExhausted`. */
  readonly code: string;
  readonly message: string;
}

const answer = /rpc error: code = (\w+) desc = ([^]*)$/u;

export function rpcFailureIn(text: string | undefined): RpcFailure | undefined {
  const [, code, message = ""] = answer.exec(text ?? "") ?? [];
  return code === undefined ? undefined : { code, message: message.trim() };
}

/** The last event that tells of a call which the driver refused. */
export function lastRefusal(
  events: readonly Event[],
  reason: string,
): { event: Event; failure: RpcFailure } | undefined {
  for (const event of events.toReversed()) {
    const failure = event.reason === reason ? rpcFailureIn(event.message) : undefined;
    if (failure !== undefined) return { event, failure };
  }
  return undefined;
}
