import type { Clock, KubernetesObject, ResourceType } from "@stowage/machinery";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import { createBackoff } from "../backoff.ts";
import type { Selectors } from "../client/client-options.ts";
import type { KubeClient } from "../client/kube-client.ts";
import { isBadRequest, isExpired, isInvalid } from "../client/predicates.ts";
import { type WatchEvent, wholeEvent } from "../client/watch-event.ts";
import { keyOf } from "./object-key.ts";

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";
const MINIMUM_WATCH_SECONDS = 300;
/** A server that has not ended the watch this long after it was asked to is gone. */
const WATCH_OVERTIME_MS = 30_000;
/** A server that knows streamed lists sends something at once, if only the bookmark that ends an empty one. */
const INITIAL_EVENTS_SILENCE_MS = 15_000;

export interface ReflectedSet extends Selectors {
  readonly namespace?: string;
}

/** An object as it came: which one it is, and the object itself, perhaps not yet decoded. */
export type Arrival<T extends KubernetesObject> = Pick<WatchEvent<T>, "identity" | "object">;

/** Where a reflector puts what it sees. Called synchronously, in the order of the server's events. */
export interface ReflectorSink<T extends KubernetesObject> {
  /** All objects there are: what is not among them is gone. */
  replace(arrivals: readonly Arrival<T>[]): void;
  change(type: "ADDED" | "MODIFIED" | "DELETED", arrival: Arrival<T>): void;
  /** The connection stands and delivers. */
  connected(): void;
  /** It does not; the reflector goes on by itself. */
  failed(error: unknown): void;
}

export interface ReflectorDeps<T extends KubernetesObject> {
  readonly client: Pick<KubeClient, "watch" | "listAll">;
  readonly type: ResourceType<T>;
  readonly set: ReflectedSet;
  readonly sink: ReflectorSink<T>;
  /** Makes of a decoded object the one to keep. */
  readonly keep: (decoded: T) => T;
  readonly clock: Clock;
  /** Off for servers that only list. */
  readonly streamInitialEvents?: boolean;
  readonly random?: () => number;
  readonly backoff?: { readonly baseMs: number; readonly maximumMs: number };
}

/**
 * Keeps a sink equal to a set of objects on the server until the signal is aborted: a streamed initial list (or a paged one
 * where the server does not stream), then a watch that resumes after every break from the last version seen, and starts over
 * from a list when the server no longer keeps that version.
 */
export interface Reflector {
  run(signal: AbortSignal): Promise<void>;
  /** Leaves the present connection and begins with a new list. */
  startOver(reason: unknown): void;
}

export function createReflector<T extends KubernetesObject>(deps: ReflectorDeps<T>): Reflector {
  const progress: Progress = { resumeFrom: undefined, isStreaming: deps.streamInitialEvents ?? true, leave: undefined };
  return {
    run: (signal) => follow(deps, progress, signal),
    startOver(reason) {
      progress.resumeFrom = undefined;
      progress.leave?.(reason);
    },
  };
}

async function follow<T extends KubernetesObject>(
  deps: ReflectorDeps<T>,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const backoff = createBackoff({ ...(deps.backoff ?? { baseMs: 100, maximumMs: 10_000 }), random: deps.random });
  while (!signal.aborted) {
    const connection = { delivered: false };
    let failure: unknown;
    try {
      await connectOnce(deps, progress, connection, signal);
    } catch (error) {
      if (signal.aborted) return;
      failure = error;
    }
    if (connection.delivered) backoff.reset();
    if (failure !== undefined) noteFailure(deps, progress, failure);
    // A connection that delivered and then ended in an orderly way is simply taken up again; all else waits.
    if (failure === undefined && connection.delivered) continue;
    await deps.clock.sleep(backoff.nextMs(), signal).catch(() => {});
  }
}

interface Progress {
  /** The version that everything up to has been delivered; undefined while there is no whole list. */
  resumeFrom: string | undefined;
  isStreaming: boolean;
  /** Ends the connection that stands. */
  leave: ((reason: unknown) => void) | undefined;
}

function noteFailure<T extends KubernetesObject>(deps: ReflectorDeps<T>, progress: Progress, failure: unknown): void {
  if (isExpired(failure)) {
    progress.resumeFrom = undefined; // Not a fault: the server keeps only the recent past.
    return;
  }
  const isRefusalToStream =
    progress.isStreaming &&
    progress.resumeFrom === undefined &&
    (isInvalid(failure) || isBadRequest(failure) || hasErrorCode(failure, "INITIAL_EVENTS_SILENT"));
  if (isRefusalToStream) progress.isStreaming = false;
  else deps.sink.failed(failure);
}

async function connectOnce<T extends KubernetesObject>(
  deps: ReflectorDeps<T>,
  progress: Progress,
  connection: { delivered: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (progress.resumeFrom === undefined && !progress.isStreaming) {
    const list = await deps.client.listAll(deps.type, { ...deps.set, keep: deps.keep, signal });
    deps.sink.replace(list.items.map((object) => wholeEvent("ADDED", object)));
    progress.resumeFrom = list.resourceVersion;
    connection.delivered = true;
  }
  const timeoutSeconds = Math.floor(MINIMUM_WATCH_SECONDS * (1 + (deps.random ?? Math.random)()));
  const guard = watchGuard(deps, timeoutSeconds * 1000 + WATCH_OVERTIME_MS, signal);
  const initial: InitialList<T> | undefined = progress.resumeFrom === undefined ? new Map() : undefined;
  if (initial !== undefined) guard.expectSoon();
  progress.leave = guard.leave;
  try {
    await deps.client.watch(
      deps.type,
      {
        ...deps.set,
        ...(initial === undefined
          ? { resourceVersion: progress.resumeFrom }
          : { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" as const }),
        allowWatchBookmarks: true,
        keep: deps.keep,
        timeoutSeconds,
        signal: guard.signal,
        onOpen: () => {
          if (initial === undefined) deps.sink.connected();
        },
      },
      eventReceiver(deps, progress, { connection, initial, onFirstEvent: guard.relax }),
    );
  } finally {
    progress.leave = undefined;
    guard.dispose();
  }
}

/** By key. */
type InitialList<T extends KubernetesObject> = Map<string, Arrival<T>>;

interface Reception<T extends KubernetesObject> {
  readonly connection: { delivered: boolean };
  readonly initial: InitialList<T> | undefined;
  readonly onFirstEvent: () => void;
}

/** Collects the initial events until the bookmark that ends them, then passes each change on as it comes. */
function eventReceiver<T extends KubernetesObject>(
  { sink }: ReflectorDeps<T>,
  progress: Progress,
  { connection, initial, onFirstEvent }: Reception<T>,
): (event: WatchEvent<T>) => void {
  let collected = initial;
  let isFirst = true;
  return (event) => {
    if (isFirst) {
      isFirst = false;
      onFirstEvent();
    }
    if (collected !== undefined) {
      if (event.type !== "BOOKMARK") {
        collect(collected, event);
      } else if (event.object.metadata.annotations?.[INITIAL_EVENTS_END] === "true") {
        sink.replace([...collected.values()]);
        collected = undefined;
        progress.resumeFrom = event.identity.resourceVersion;
        connection.delivered = true;
        sink.connected();
      }
      return;
    }
    if (event.type !== "BOOKMARK") sink.change(event.type, event);
    progress.resumeFrom = event.identity.resourceVersion;
    connection.delivered = true;
  };
}

/**
 * Changes come among the initial events too: a server whose own cache is behind begins with what that has, and goes on with what
 * happened since, up to the version that it promised.
 */
function collect<T extends KubernetesObject>(collected: InitialList<T>, event: WatchEvent<T>): void {
  const key = keyOf(event.identity);
  if (event.type === "DELETED") collected.delete(key);
  else collected.set(key, event);
}

/** Ends a watch that the server should long have ended, or an initial stream that says nothing at all. */
function watchGuard<T extends KubernetesObject>(deps: ReflectorDeps<T>, limitMs: number, parent: AbortSignal) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(parent.reason);
  parent.addEventListener("abort", onAbort, { once: true });
  const about = `the watch of ${deps.type.plural}`;
  const overtime = setTimeout(
    () => controller.abort(new StowageError("CONNECTION_RESET", `${about} was not ended by the server in time`)),
    limitMs,
  );
  let silence: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    leave: (reason: unknown) => controller.abort(reason),
    expectSoon: () => {
      silence = setTimeout(
        () => controller.abort(new StowageError("INITIAL_EVENTS_SILENT", `${about} sent no initial events`)),
        INITIAL_EVENTS_SILENCE_MS,
      );
    },
    relax: () => clearTimeout(silence),
    dispose: () => {
      clearTimeout(overtime);
      clearTimeout(silence);
      parent.removeEventListener("abort", onAbort);
    },
  };
}
