import { createRestMapper, defaultCorrelatorLimits } from "@stowage/kube";
import { namespaces, systemClock } from "@stowage/machinery";
import {
  addFigure,
  type Figure,
  type FigureFamily,
  type FigureTable,
  operatorEvents,
  queueMetrics,
} from "@stowage/operator";
import type { ManagementCluster, OperatorProgram, OperatorProgramDeps } from "@stowage/operators";
import { Registry } from "prom-client";
import { type ClusterSide, connectClusterSide } from "../cluster/cluster-side.ts";
import { createFence } from "../cluster/fence.ts";
import { actAsLeader } from "../cluster/leading.ts";
import { addProcessMetrics } from "../cluster/process-metrics.ts";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logLevelControl } from "./log-level-control.ts";
import type { OperatorOptions } from "./operator-options.ts";
import { serveOperatorHealth } from "./operator-serving.ts";

export interface OperatorRun {
  /** What events say that they come from. */
  readonly name: string;
  readonly leaseName: string;
  /** Where it is when nobody says otherwise. */
  readonly defaultNamespace: string;
  readonly options: OperatorOptions;
  make(deps: OperatorProgramDeps): OperatorProgram | Promise<OperatorProgram>;
}

/** All events of an operator are about one object, and a first start alone has more of them than one object may have elsewhere. */
const eventLimits = { ...defaultCorrelatorLimits, spamBurst: 200, spamRefillMs: 5_000 };

/** A start makes dozens of objects, each with an event to tell. */
const EVENT_HOLD_MS = 2_000;
const FIRST_REPORT_MS = 3_000;
/** While another waits to lead. */
const EVENT_FLUSH_MS = 200;

/** Runs an operator until the command is stopped, the operator asks to be started anew, or leadership is lost. */
export async function runOperatorProcess(context: CommandContext, run: OperatorRun): Promise<number> {
  const { logger } = context;
  const { options } = run;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const fence = createFence();
  const registry = new Registry();
  await using cleanUp = new AsyncDisposableStack();
  const events = { eventLimits, eventHoldMs: EVENT_HOLD_MS };
  const cluster = cleanUp.use(await connectClusterSide(context, { ...options, ...events }, fence));
  const { guestKubeconfig: kubeconfig } = options;
  const guest = kubeconfig && cleanUp.use(await connectClusterSide(context, { ...events, kubeconfig }, fence));
  const sides: Sides = guest ? { cluster, guest } : { cluster };
  const namespace = options.namespace ?? context.env.POD_NAMESPACE ?? run.defaultNamespace;
  const deps = {
    ...programDeps(context, sides, { name: run.name, namespace }),
    metrics: queueMetrics(registry),
    addFigure: (figure: Figure | FigureFamily | FigureTable) => addFigure(registry, figure),
    firstReportMs: FIRST_REPORT_MS,
    restart(reason: string) {
      logger.info({ reason }, "the operator ends to be started anew");
      ended.abort();
    },
  };
  const program = await run.make(deps);
  addProcessMetrics(registry);
  let isReady = false;
  const serving = { address: options.listen, isReady: () => isReady };
  const health = cleanUp.use(await serveOperatorHealth(registry, serving));
  if (health.url !== undefined) logger.info({ url: health.url }, "serving metrics and health");
  // Not waited for: each controller waits for what it watches itself, and the lease can be had meanwhile.
  const copied = Promise.all(Object.values(sides).map((side: ClusterSide) => complete(side, context, signal))).then(
    (complete) => void (isReady = complete.every(Boolean)),
  );
  const leases = [{ namespace, name: run.leaseName }];
  const candidate = { ...cluster, electionClient: cluster.reader };
  await actAsLeader({ ...candidate, leases, options, fence, health, registry, logger }, signal, async (leading) => {
    await runAll(program, leading);
    // While this process still may.
    await cluster.broadcaster.flush(EVENT_FLUSH_MS);
  });
  ended.abort();
  await copied;
  return exitCodes.success;
}

interface Sides {
  /** Where the process is: its lease and its events are there. */
  readonly cluster: ClusterSide;
  /** What it looks after, where that is another one. */
  readonly guest?: ClusterSide;
}

function programDeps(
  { env, logger, setLogLevel }: CommandContext,
  { cluster, guest }: Sides,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Omit<OperatorProgramDeps, "metrics" | "addFigure" | "restart"> {
  const recorder = cluster.broadcaster.recorder({ component: name });
  const { version: apiVersion, kind } = namespaces;
  return {
    ...sideDeps(guest ?? cluster),
    ...(guest !== undefined && { management: sideDeps(cluster) }),
    events: operatorEvents(recorder, { apiVersion, kind, name: namespace, namespace }),
    clock: systemClock,
    logger,
    logLevel: logLevelControl(setLogLevel),
    env,
    namespace,
  };
}

function sideDeps({ client, reader, informers }: ClusterSide): ManagementCluster {
  // Which APIs there are can be found out before it leads.
  return { client, mapper: createRestMapper({ client: reader }), informers };
}

/** True when the local copies are complete, false when it is told to stop before. What keeps them from it is said each minute. */
async function complete(cluster: ClusterSide, { logger }: CommandContext, signal: AbortSignal): Promise<boolean> {
  for (let wait = cluster.startCopies(signal); !signal.aborted; wait = cluster.informers.waitForSync({ signal })) {
    try {
      await wait;
      return true;
    } catch (error) {
      if (!signal.aborted) logger.warn({ error }, "what the operator watches is not known yet");
    }
  }
  return false;
}

async function runAll({ controllers }: OperatorProgram, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // One that fails takes the others with it, in order: a process that does half of its work would look healthy.
  await Promise.all(
    controllers.map((controller) =>
      controller.run(either).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
}
