import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Logger, StowageError, silentLogger } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import type { ConnectionConfig } from "../config/index.ts";
import { type Election, ElectionState } from "./election.ts";
import { startElectionHere } from "./election-here.ts";
import type { ElectionWorkerData, FromElection, ToElection } from "./election-messages.ts";
import { createHeartbeat } from "./heartbeat.ts";
import type { LeaseRef } from "./held-lease.ts";
import { defaultLeaseTiming, type LeaseTiming, validateLeaseTiming } from "./lease-timing.ts";
import { createValidity, now } from "./validity.ts";

const HEARTBEAT_MS = 1_000;
const DEFAULT_HANG_LIMIT_MS = 60_000;
/** A thread that sends a request every few seconds needs no more room for what is new. */
const resourceLimits = { maxYoungGenerationSizeMb: 2 } as const;

export interface LeaderElectionOptions {
  /** Plain data: an election in a thread of its own makes its own connection. */
  readonly connection: ConnectionConfig;
  readonly lease: LeaseRef;
  /**
   * Leases that other programs would take to do the same work: leading means holding these too. They last longer and are renewed
   * rarely; a later holder of the main lease takes them over at once.
   */
  readonly companions?: readonly LeaseRef[];
  /** Unique to this process; a name with a random end when left out. */
  readonly identity?: string;
  readonly timing?: LeaseTiming;
  /**
   * Elects in this thread and by this client, which costs a tenth of a second and 6 MB less at the start. For leases of minutes, which
   * no busy moment can cost; when left out, a thread of its own renews the lease while this one is busy.
   */
  readonly client?: KubeClient;
  /** A main thread that does not turn for this long is taken for dead, and its lease is left to run out. */
  readonly hangLimitMs?: number;
  readonly logger?: Logger;
}

export interface Leadership {
  readonly identity: string;
  /** Rises with every change of leader: a token to tell an earlier leader's writes by. */
  readonly term: number;
  /** Aborted when leadership ends, for whatever reason. */
  readonly signal: AbortSignal;
  /** True at this very moment, also right after the process was paused. Ask before each act that must not happen twice. */
  isLeader(): boolean;
}

/**
 * Waits for the lease, then runs `lead` as the leader. When `signal` is aborted: `lead` is told by `leadership.signal`, and
 * when it has settled the lease is given back. When leadership is lost, or `lead` throws, this rejects; the usual answer to
 * a loss is to end the process, since a fresh one carries nothing over.
 */
export async function runAsLeader(
  options: LeaderElectionOptions,
  signal: AbortSignal,
  lead: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const identity = options.identity ?? `${hostname()}_${randomUUID()}`;
  const timing = options.timing ?? defaultLeaseTiming;
  const logger = options.logger ?? silentLogger;
  validateLeaseTiming(timing);
  if (signal.aborted) return;
  const validity = createValidity();
  const { client, lease, companions = [] } = options;
  const election =
    client === undefined
      ? startElectionApart(options, { identity, timing, validityBuffer: validity.buffer }, logger)
      : startElectionHere({ client, lease, companions, identity, timing, validity, logger });
  const onAbort = () => election.giveUpWaiting();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const term = await election.acquired;
    if (term === undefined) return;
    signal.removeEventListener("abort", onAbort);
    const ended = new AbortController();
    const end = () => ended.abort(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    election.onLost((reason) => {
      validity.end();
      ended.abort(new StowageError("LEADERSHIP_LOST", `${identity} no longer leads: ${reason}`));
    });
    logger.info({ identity, term, lease: options.lease }, "leading");
    // Also while `lead` drains after it was told to stop: the lease is given back only afterwards.
    const isLeader = () => validity.holdsAt(now());
    try {
      await lead({ identity, term, signal: ended.signal, isLeader });
    } finally {
      signal.removeEventListener("abort", end);
    }
    if (ended.signal.aborted && !signal.aborted) throw ended.signal.reason;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await election.release();
  }
}

/** In a thread of its own. */
function startElectionApart(
  options: LeaderElectionOptions,
  shared: Pick<ElectionWorkerData, "identity" | "timing" | "validityBuffer">,
  logger: Logger,
): Election {
  const heartbeat = createHeartbeat();
  heartbeat.beat();
  const beating = setInterval(heartbeat.beat, HEARTBEAT_MS);
  const { connection, lease, companions = [], hangLimitMs = DEFAULT_HANG_LIMIT_MS } = options;
  const workerData: ElectionWorkerData = {
    connection,
    lease,
    companions,
    hangLimitMs,
    heartbeatBuffer: heartbeat.buffer,
    ...shared,
  };
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(new URL("./election-worker.ts", import.meta.url), { workerData, resourceLimits });
  const state = new ElectionState();
  const exited = Promise.withResolvers<void>();
  worker.on("message", (message: FromElection) => {
    if (message.type === "log") logger[message.level](message.fields, message.message);
    else if (message.type === "acquired") state.win(message.term);
    else if (message.type === "lost") state.lose(message.reason);
    else state.giveUp();
  });
  worker.on("error", (error) => state.lose(error instanceof Error ? error.message : String(error)));
  worker.on("exit", () => {
    clearInterval(beating);
    state.lose("the thread that holds the lease has ended");
    exited.resolve();
  });
  const askForRelease = () => worker.postMessage({ type: "release" } satisfies ToElection);
  return {
    acquired: state.acquired,
    onLost: (listener) => state.onLost(listener),
    giveUpWaiting: askForRelease,
    async release() {
      state.onLost(undefined);
      askForRelease();
      await exited.promise;
    },
  };
}
