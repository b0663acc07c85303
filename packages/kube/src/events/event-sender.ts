import { type Clock, events, hasErrorCode, type Logger } from "@stowage/machinery";
import { createBackoff } from "../backoff.ts";
import { ApiStatusError } from "../client/api-status-error.ts";
import type { KubeClient } from "../client/kube-client.ts";
import { isAlreadyExists, isNamespaceTerminating, isNotFound } from "../client/predicates.ts";
import type { CorrelatedEvent } from "./repeat-counter.ts";

const MAXIMUM_ATTEMPTS = 12;
const BASE_DELAY_MS = 1_000;
const MAXIMUM_DELAY_MS = 30_000;

export interface EventSenderDeps {
  readonly client: Pick<KubeClient, "create" | "patch">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
}

export interface SenderSignals {
  /** Aborted when there is no time for long waits any more. */
  readonly stopping: AbortSignal;
  /** Aborted when there is no time at all. */
  readonly ended: AbortSignal;
}

/** Brings one event to the server, with some patience, or gives it up with a line in the log. Never rejects. */
export async function sendEvent(
  { client, clock, logger, random }: EventSenderDeps,
  correlated: CorrelatedEvent,
  { stopping, ended }: SenderSignals,
): Promise<void> {
  const backoff = createBackoff({ baseMs: BASE_DELAY_MS, maximumMs: MAXIMUM_DELAY_MS, random });
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeEvent(client, correlated, ended);
    } catch (error) {
      const isLast = attempt === MAXIMUM_ATTEMPTS || ended.aborted || isRefusal(error);
      if (isLast) return logLoss(logger, correlated, error);
      logger.debug({ ...describe(correlated), attempt, error }, "an event could not be sent and will be tried again");
      await pause(clock, stopping.aborted ? BASE_DELAY_MS : backoff.nextMs(), stopping.aborted ? ended : stopping);
    }
  }
}

/** The server forgets events after a while, and a try that seemed to fail may have made the event nevertheless. */
async function writeEvent(
  client: EventSenderDeps["client"],
  { event, isRepeat }: CorrelatedEvent,
  signal: AbortSignal,
): Promise<void> {
  const { count, lastTimestamp, message } = event;
  const { namespace, name = "" } = event.metadata;
  const create = () => client.create(events, event, { signal });
  const update = () =>
    client.patch(events, { namespace, name }, { type: "merge", patch: { count, lastTimestamp, message } }, { signal });
  try {
    await (isRepeat ? update() : create());
  } catch (error) {
    if (isRepeat && isNotFound(error)) await create();
    else if (!isRepeat && isAlreadyExists(error)) await update();
    else throw error;
  }
}

/** The server, or our own client, will say no every time. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiStatusError) return error.httpStatus < 500 && error.httpStatus !== 429;
  return REFUSAL_CODES.some((code) => hasErrorCode(error, code));
}

const REFUSAL_CODES = ["INVALID_REQUEST", "TRANSPORT_CLOSED", "LEADERSHIP_LOST"] as const;

async function pause(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(durationMs, signal).catch(() => {}); // Cut short: the next try is made at once.
}

function logLoss(logger: Logger, correlated: CorrelatedEvent, error: unknown): void {
  const about = { ...describe(correlated), error };
  // Nothing is wrong when what goes on in a namespace is told while it is being deleted.
  if (isNamespaceTerminating(error)) logger.info(about, "an event is dropped: its namespace is being deleted");
  else if (isRefusal(error)) logger.warn(about, "an event is dropped: it was refused");
  else logger.warn(about, "an event is dropped: it could not be sent");
}

function describe({ event }: CorrelatedEvent): object {
  const { kind, namespace, name } = event.involvedObject;
  return { object: { kind, namespace, name }, reason: event.reason, message: event.message };
}
