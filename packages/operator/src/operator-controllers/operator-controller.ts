import type { Clock, Logger } from "@stowage/machinery";
import { type Controller, createController, type SyncContext, type SyncOutcome } from "../controllers/index.ts";
import type { QueueMetrics } from "../metrics/index.ts";
import {
  type ManagementMode,
  managementModeOf,
  type OperatorClient,
  type OperatorEvents,
  type OperatorResource,
} from "../operator-client/index.ts";
import { createDegradedReport, type DegradedReport } from "./degraded-report.ts";
import { createFirstReport, type FirstReport } from "./first-report.ts";
import { type OperatorWatch, operatorKey, watching } from "./operator-watch.ts";

export interface OperatorControllerDeps<T extends OperatorResource = OperatorResource> {
  readonly operator: OperatorClient<T>;
  readonly events: OperatorEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: QueueMetrics;
  /**
   * On a new cluster, how long controllers that are well wait before they say so: objects come first. At once when left out; what
   * goes wrong is said at once in any case.
   */
  readonly firstReportMs?: number;
}

export interface OperatorSyncContext<T extends OperatorResource = OperatorResource> extends SyncContext {
  /** As it was when the sync began. */
  readonly operator: T;
}

type Sync<C> = (context: C) => Promise<SyncOutcome | void>;

export interface OperatorControllerSpec<T extends OperatorResource = OperatorResource> {
  /** Also of the condition `<name>Degraded`: renaming it leaves the old condition behind. */
  readonly name: string;
  /** Beside the operator's resource, which is always watched. */
  readonly watches?: readonly OperatorWatch[];
  /** Looks again this often, whether or not anything has changed; never when left out. */
  readonly resyncMs?: number;
  /** Of the degraded condition; `<name>-reportDegraded` when left out. */
  readonly fieldManager?: string;
  /** `false`: the controller says by itself how it is. */
  readonly reportsDegraded?: boolean;
  /** Acts in every management state, also `Unmanaged`. */
  readonly ignoresManagementState?: boolean;
  readonly sync: Sync<OperatorSyncContext<T>>;
  /** When the operand is to go: `Removed`, or the resource is being deleted. Left out, nothing is done then. */
  readonly remove?: Sync<OperatorSyncContext<T>>;
  /** When there is no resource. Left out, nothing is done then. */
  readonly syncWithout?: Sync<SyncContext>;
}

export interface OperatorController {
  readonly name: string;
  /** To be looked at soon, for reasons that no watch tells. */
  trigger(): void;
  /** Resolves when it has looked at its resource for the first time, whatever came of it: see `startingAfter`. */
  readonly firstLook: Promise<void>;
  /** Begins when all that it watches is known; rejects when that takes more than ten minutes. */
  run(signal: AbortSignal): Promise<void>;
}

const backoff = { initialMs: 100, maximumMs: 60_000 };

/**
 * A controller of one key. What its sync ends with becomes a log line, an event, `<name>Degraded` and a next try, here and nowhere
 * else; whether it may act at all is decided here too, by the operator's management state.
 */
export function operatorController<T extends OperatorResource>(
  deps: OperatorControllerDeps<T>,
  spec: OperatorControllerSpec<T>,
): OperatorController {
  const { operator, clock, logger, metrics } = deps;
  const { name, fieldManager } = spec;
  const reporting = {
    report: createDegradedReport(deps, { name, fieldManager }),
    first: createFirstReport(deps),
  };
  const { promise: firstLook, resolve: looked } = Promise.withResolvers<void>();
  const controller: Controller = createController(
    { clock, logger, metrics },
    {
      name,
      workers: 1,
      backoff,
      sync: (_key, context) => {
        const isThere = operator.current() !== undefined;
        return reported(deps, spec, reporting, context).finally(() => isThere && looked());
      },
    },
  );
  const watches = [watching(operator.informer), ...(spec.watches ?? [])];
  for (const watch of watches) watch.feed(controller);
  return {
    name,
    firstLook,
    trigger: () => controller.queue.add(operatorKey),
    async run(signal) {
      if (!(await areSynced(watches, signal))) return;
      controller.queue.add(operatorKey);
      await Promise.all([controller.run(signal), resync(controller, { clock, resyncMs: spec.resyncMs, signal })]);
    },
  };
}

/** What is not known yet must not be taken for missing. False when it is told to stop before. */
async function areSynced(watches: readonly OperatorWatch[], signal: AbortSignal): Promise<boolean> {
  try {
    await Promise.all(watches.map((watch) => watch.waitForSync(signal)));
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Not the controller's own resync, which looks at what it watches: there may be nothing of it yet. */
async function resync(
  controller: Controller,
  { clock, resyncMs = 0, signal }: { clock: Clock; resyncMs?: number; signal: AbortSignal },
): Promise<void> {
  if (resyncMs <= 0) return;
  for (;;) {
    await clock.sleep(resyncMs, signal).catch(() => {});
    if (signal.aborted) return;
    controller.queue.addInBackground(operatorKey);
  }
}

async function reported<T extends OperatorResource>(
  deps: OperatorControllerDeps<T>,
  spec: OperatorControllerSpec<T>,
  { report, first }: Reporting,
  context: SyncContext,
): Promise<SyncOutcome | void> {
  const { reportsDegraded = true } = spec;
  try {
    const outcome = await syncByState(deps, spec, context);
    if (!reportsDegraded) return outcome;
    const waitMs = report.isNew ? first.waitMs(report.type) : 0;
    // A later sync finds everything in place, and says so.
    if (waitMs > 0) return sooner(outcome, waitMs);
    await report.succeeded(context.signal);
    return outcome;
  } catch (error) {
    if (reportsDegraded && !context.signal.aborted) await report.failed(error, context.signal);
    throw error;
  }
}

interface Reporting {
  readonly report: DegradedReport;
  readonly first: FirstReport;
}

function sooner(outcome: SyncOutcome | void, requeueAfterMs: number): SyncOutcome {
  if (outcome === undefined) return { requeueAfterMs };
  return "retry" in outcome ? outcome : { requeueAfterMs: Math.min(requeueAfterMs, outcome.requeueAfterMs) };
}

async function syncByState<T extends OperatorResource>(
  { operator: client }: OperatorControllerDeps<T>,
  spec: OperatorControllerSpec<T>,
  context: SyncContext,
): Promise<SyncOutcome | void> {
  const operator = client.current();
  if (operator === undefined) return spec.syncWithout?.(context);
  const mode: ManagementMode = spec.ignoresManagementState ? "sync" : managementModeOf(operator, client.management);
  if (mode === "sync") {
    const { holdFinalizer } = client.management;
    // Before anything is made that might come to be used.
    if (holdFinalizer !== undefined && !spec.ignoresManagementState) {
      await client.ensureFinalizer(holdFinalizer, context.signal);
    }
    return spec.sync({ ...context, operator });
  }
  if (mode === "remove") return spec.remove?.({ ...context, operator });
}
