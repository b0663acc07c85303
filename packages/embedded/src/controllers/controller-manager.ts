import { createEventBroadcaster, createInformerFactory, type KubeClient } from "@stowage/kube";
import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import { clusterParts } from "./cluster/index.ts";
import type { ControllerDeps, PartRow } from "./kit/index.ts";
import { schedulerParts } from "./scheduler/index.ts";
import { storageParts } from "./storage/index.ts";
import { workloadsParts } from "./workloads/index.ts";

export interface ControllerManagerDeps {
  /** As whoever may do what controllers do, or, with `clientOf`, what kube-controller-manager does itself. */
  readonly client: KubeClient;
  /** As a service account of `kube-system`; all controllers act by `client` when left out. */
  clientOf?(account: string): KubeClient;
  /** The same with the name `kube-scheduler`, so that its writes are told from the others; `client` when left out. */
  readonly schedulerClient?: KubeClient;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** All of them when left out. */
  readonly parts?: readonly PartRow[];
  /** PEM; `authority` of the API server. */
  readonly rootCertificate?: string;
  /** PEM; `accountTokenKey` of the API server. */
  readonly accountTokenKey?: string;
}

const allParts: readonly PartRow[] = [...clusterParts, ...workloadsParts, ...storageParts, ...schedulerParts];

/** Runs every controller until the signal is aborted; settles when what was under way has ended. */
export async function runControllers(manager: ControllerManagerDeps, signal: AbortSignal): Promise<void> {
  const { client, clock = systemClock, logger = silentLogger, parts: rows = allParts } = manager;
  const { schedulerClient, rootCertificate, accountTokenKey } = manager;
  const informers = createInformerFactory({ client, clock, logger });
  const broadcaster = createEventBroadcaster({ client, clock, logger });
  const recorder = (component: string) => broadcaster.recorder({ component });
  const deps: ControllerDeps = {
    client,
    schedulerClient,
    informers,
    recorder,
    clock,
    logger,
    rootCertificate,
    accountTokenKey,
  };
  const parts = rows.map(({ make, account }) => {
    const own = account === undefined ? undefined : manager.clientOf?.(account);
    return make({ ...deps, client: own ?? client });
  });
  const copies = informers.run(signal);
  const telling = broadcaster.run(signal);
  await informers.waitForSync({ signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await Promise.all([copies, telling, ...parts.map((part) => part.run(signal))]);
}
