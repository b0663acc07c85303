import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  type ConnectionConfig,
  type CorrelatorLimits,
  createAdaptiveLimiter,
  createClient,
  createEventBroadcaster,
  createInformerFactory,
  createTokenBucket,
  createTransport,
  type EventBroadcaster,
  type InformerFactory,
  type KubeClient,
  loadKubeconfig,
  type RateLimiter,
} from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { type Fence, fenced } from "./fence.ts";

/** A hundred workers would open a hundred connections, for 12 MB and not one volume more a second. */
const MAX_REQUESTS = 12;
/** What a burst needed is closed soon after; one request in a while does well without a connection that waits for it. */
const IDLE_CONNECTION_MS = 10_000;

/** How the cluster is reached. */
export interface ClusterSideOptions {
  readonly kubeconfig: string | undefined;
  /** Of the kubeconfig. */
  readonly context?: string | undefined;
  /** As many requests as the server takes, when left out. */
  readonly kubeApiQps?: number | undefined;
  readonly kubeApiBurst?: number;
  /** The usual ones, when left out. */
  readonly eventLimits?: CorrelatorLimits;
  /** How long the first events wait. */
  readonly eventHoldMs?: number;
}

/** What a process that acts on a cluster has of it. */
export interface ClusterSide extends AsyncDisposable {
  readonly connection: ConnectionConfig;
  /** Unique to this process, for leases and events. */
  readonly identity: string;
  /** Only acts while the fence is open. */
  readonly client: KubeClient;
  /** Reads at any time. */
  readonly reader: KubeClient;
  readonly informers: InformerFactory;
  readonly broadcaster: EventBroadcaster;
  /** As `client`, with a rate of its own. */
  limitedClient(limit: { readonly qps: number; readonly burst: number }): KubeClient;
  /** Starts the local copies, and resolves when they are complete. */
  startCopies(signal: AbortSignal): Promise<void>;
}

export async function connectClusterSide(
  { env, homeDir, logger }: CommandContext,
  options: ClusterSideOptions,
  fence: Fence,
): Promise<ClusterSide> {
  const connection = await loadKubeconfig({ path: options.kubeconfig, context: options.context, env, homeDir });
  const transport = createTransport(connection, {
    logger,
    maxRequests: MAX_REQUESTS,
    idleTimeoutMs: IDLE_CONNECTION_MS,
  });
  const limiter = limiterOf(options);
  // Two clients on one connection: copies are kept up to date also by a process that does not lead.
  const reader = createClient({ transport, logger, rateLimit: limiter });
  const actingClient = (rate: RateLimiter) => createClient({ transport, logger, rateLimit: fenced(rate, fence) });
  const client = actingClient(limiter);
  const informers = createInformerFactory({ client: reader, logger });
  const broadcaster = createEventBroadcaster({
    client,
    logger,
    limits: options.eventLimits,
    holdMs: options.eventHoldMs,
  });
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    connection,
    identity: `${hostname()}_${randomUUID()}`,
    client,
    reader,
    informers,
    broadcaster,
    limitedClient: (limit) => actingClient(createTokenBucket({ ...limit, clock: systemClock })),
    async startCopies(signal) {
      running = Promise.all([informers.run(stop.signal), broadcaster.run(stop.signal)]);
      await informers.waitForSync({ signal });
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      transport.close();
    },
  };
}

function limiterOf({ kubeApiQps, kubeApiBurst = 1 }: ClusterSideOptions): RateLimiter {
  if (kubeApiQps === undefined) return createAdaptiveLimiter({ clock: systemClock });
  return createTokenBucket({ qps: kubeApiQps, burst: kubeApiBurst, clock: systemClock });
}
