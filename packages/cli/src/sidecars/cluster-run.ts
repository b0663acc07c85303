import type { LeaseRef } from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import { queueMetrics } from "@stowage/operator";
import type { Sidecar, SidecarDeps } from "@stowage/sidecars";
import type { Registry } from "prom-client";
import { type ClusterSide, connectClusterSide } from "../cluster/cluster-side.ts";
import type { Fence } from "../cluster/fence.ts";
import { actAsLeader } from "../cluster/leading.ts";
import { addProcessMetrics } from "../cluster/process-metrics.ts";
import type { CommandContext } from "../command.ts";
import type { ClusterSidecarOptions } from "./common-options.ts";
import { serveSidecarHealth } from "./sidecar-health.ts";
import type { SidecarPlace } from "./sidecar-maker.ts";

export type ClusterDeps = Omit<SidecarDeps, "csi" | "driver">;

export interface ClusterRun {
  readonly options: ClusterSidecarOptions;
  readonly fence: Fence;
  readonly registry: Registry;
  /** Begins what events say that they come from. */
  readonly component: string;
  readonly leaseNames: readonly string[];
  readonly isAlone: boolean;
  make(deps: ClusterDeps, place: SidecarPlace): Promise<readonly Sidecar[]>;
}

/** While another waits to lead. */
const EVENT_FLUSH_MS = 200;

/** Makes sidecars, brings their copies up to date, and runs them once this process leads, until the signal is aborted. */
export async function runOnCluster(context: CommandContext, run: ClusterRun, signal: AbortSignal): Promise<void> {
  const { logger } = context;
  const { options, fence, registry } = run;
  await using cleanUp = new AsyncDisposableStack();
  const cluster = cleanUp.use(await connectClusterSide(context, options, fence));
  const { client, informers, broadcaster, identity } = cluster;
  const place = placeOf(context, cluster, run);
  const events = broadcaster.recorder({ component: `${run.component}_${identity}` });
  const shared = { events, logger, registry, clock: systemClock, queues: queueMetrics(registry) };
  const sidecars = await run.make({ ...shared, client, informers }, place);
  addProcessMetrics(registry);
  const health = cleanUp.use(await serveSidecarHealth(registry, options));
  await cluster.startCopies(signal);
  const leases = run.leaseNames.map((name) => leaseRef(name, options, place));
  await actAsLeader({ ...cluster, leases, options, fence, health, registry, logger }, signal, async (leading) => {
    await runAll(sidecars, leading);
    // While this process still may.
    await broadcaster.flush(EVENT_FLUSH_MS);
  });
}

function placeOf(
  { env }: CommandContext,
  { connection, limitedClient }: ClusterSide,
  { options, isAlone }: ClusterRun,
): SidecarPlace {
  return {
    isAlone,
    limitedClient,
    namespace: env.POD_NAMESPACE ?? env.NAMESPACE ?? connection.namespace,
    podName: env.POD_NAME,
    nodeName: env.NODE_NAME,
    retryInitialMs: options.retryIntervalStart,
    retryMaximumMs: options.retryIntervalMax,
  };
}

function leaseRef(name: string, options: ClusterSidecarOptions, place: SidecarPlace): LeaseRef {
  const pairs = (options.leaderElectionLabels ?? "").split(",").filter((pair) => pair !== "");
  const labels = Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string]));
  return { namespace: options.leaderElectionNamespace ?? place.namespace, name, labels };
}

async function runAll(sidecars: readonly Sidecar[], signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // One that fails takes the others with it, in order: a process that does half of its work would look healthy.
  await Promise.all(
    sidecars.map((sidecar) =>
      sidecar.run(either).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
}
