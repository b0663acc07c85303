import { KeyedLock, provisioningReasons, StowageError } from "@stowage/machinery";
import {
  persistentVolumeCache,
  persistentVolumeClaimCache,
  storageClassCache,
  volumeAttachmentCache,
} from "../caches/index.ts";
import { provisionerLease } from "../leases/index.ts";
import type { Sidecar, SidecarDeps } from "../sidecar.ts";
import { createClaimController } from "./claims/index.ts";
import { IntentBook, IntentJournal } from "./intents/index.ts";
import { provisionerMetrics } from "./metrics.ts";
import type { ProvisionerOptions } from "./options.ts";
import type { ProvisionerHooks, Provisioning } from "./provisioning.ts";
import { SlowClaims } from "./slow-claims.ts";
import { createCloningProtection, runSnapshotSweeper } from "./sources/index.ts";
import { createTopologyPlanner } from "./topology/index.ts";
import { createVolumeController, createVolumeSaver } from "./volumes/index.ts";

/** Makes volumes for claims and deletes those that are released; see `claims/` and `volumes/` for what it watches and writes. */
export function createProvisioner(deps: SidecarDeps & ProvisionerHooks, options: ProvisionerOptions): Sidecar {
  const p = provisioning(deps, options);
  const { clock, logger, queues } = deps;
  const { cloningProtectionWorkers: workers, retryInitialMs: initialMs, retryMaximumMs: maximumMs } = options;
  const saver = createVolumeSaver(p, { queues, onGivenUp: (uid) => claims.queue.add(uid) });
  const claims = createClaimController({ ...p, saver }, queues);
  const volumes = createVolumeController(p, queues);
  const cloning = createCloningProtection(
    { client: deps.client, clock, logger, queues, claims: p.claims },
    { workers, backoff: { initialMs, maximumMs } },
  );
  return {
    name: "provisioner",
    async run(signal) {
      const parts = [claims, volumes, saver.controller, cloning].map((controller) => controller.run(signal));
      await Promise.all([...parts, resumeIntents(p, claims.queue, signal), sweepSnapshots(p, signal)]);
      await flushJournal(p);
    },
  };
}

function provisioning(deps: SidecarDeps & ProvisionerHooks, options: ProvisionerOptions): Provisioning {
  const { client, csi, driver, events, clock, logger, informers } = deps;
  const attaches = driver.controller.has("PUBLISH_UNPUBLISH_VOLUME");
  return {
    client,
    csi,
    driver,
    events,
    clock,
    logger,
    options,
    hooks: { onCapacityChanged: deps.onCapacityChanged, node: deps.node },
    topology: deps.topology ?? createTopologyPlanner(deps, options),
    identity: identityOf(deps, options),
    claims: persistentVolumeClaimCache(informers),
    volumes: persistentVolumeCache(informers),
    classes: storageClassCache(informers),
    attachments: attaches ? volumeAttachmentCache(informers) : undefined,
    intents: intentBook(deps, options),
    names: new KeyedLock(),
    slow: new SlowClaims(clock),
    metrics: provisionerMetrics(deps.registry),
  };
}

function identityOf({ clock, driver }: SidecarDeps, { nodeName }: ProvisionerOptions): string {
  const parts = [clock.nowMs(), Math.floor(Math.random() * 10_000), driver.name, nodeName];
  return parts.filter((part) => part !== undefined).join("-");
}

function intentBook(deps: SidecarDeps, options: ProvisionerOptions): IntentBook {
  const { durableIntent, namespace, nodeName, journalIdleMs: idleMs } = options;
  if (!durableIntent) return new IntentBook({ onUnreadable: () => {} });
  const suffix = nodeName === undefined ? "" : `-${nodeName}`;
  const name = `${provisionerLease(deps.driver.name).toLowerCase()}-provisioning-intents${suffix}`;
  const journal = new IntentJournal(deps, { namespace, name, idleMs });
  return new IntentBook({
    journal,
    onForbidden: durableIntent === "ifAllowed" ? (error) => warnOfForgetting(deps, error) : undefined,
    onUnreadable(error) {
      const nextStep = error instanceof StowageError ? error.nextStep : "";
      deps.logger.error(
        { error, journal: journal.place, nextStep },
        "an entry of the journal of intents is left alone",
      );
      const object = { apiVersion: "v1", kind: "ConfigMap", namespace, name };
      const message = `${error instanceof Error ? error.message : String(error)}. ${nextStep}`;
      deps.events.event(object, "Warning", provisioningReasons.intentUnresolved, message);
    },
  });
}

function warnOfForgetting({ logger }: SidecarDeps, error: unknown): void {
  const nextStep = error instanceof StowageError ? error.nextStep : "";
  logger.warn(
    { error, nextStep },
    "volumes are made without being noted first: one whose claim is deleted while this process restarts may be left behind",
  );
}

/** Takes up what an earlier process began. Until that is known, nothing new is begun; what is to be deleted need not wait. */
async function resumeIntents(
  { intents, clock, logger, options }: Provisioning,
  queue: { add(key: string): void },
  signal: AbortSignal,
): Promise<void> {
  let retryMs = options.retryInitialMs;
  while (!signal.aborted) {
    try {
      await intents.load();
      for (const uid of intents.claimUids()) queue.add(uid);
      return;
    } catch (error) {
      const nextStep = error instanceof StowageError ? error.nextStep : "";
      logger.error(
        { error, nextStep, retryMs },
        "the journal of intents cannot be read; no volume is begun until it can",
      );
      await clock.sleep(retryMs, signal).catch(() => {});
      retryMs = Math.min(retryMs * 2, options.retryMaximumMs);
    }
  }
}

async function sweepSnapshots(p: Provisioning, signal: AbortSignal): Promise<void> {
  if (!p.driver.controller.has("CREATE_DELETE_SNAPSHOT")) return;
  await runSnapshotSweeper({ ...p, claims: p.claims.objects }, p.options.snapshotOrphanSweepIntervalMs, signal);
}

/** Saves the next process the trouble to look at what is done. */
async function flushJournal({ intents, logger }: Provisioning): Promise<void> {
  await intents.journal?.flush().catch((error: unknown) => {
    logger.warn({ error }, "finished entries stay in the journal of intents; the next process removes them");
  });
}
