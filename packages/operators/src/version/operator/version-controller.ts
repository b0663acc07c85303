import { isNotFound } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import { type Controller, createController, type OperatorController } from "@stowage/operator";
import { createPayloadMemory } from "../apply/index.ts";
import { createPayloadSource, type PayloadPlace, type PayloadSource } from "../payload/index.ts";
import { ensureDefinitions, followApis, type VersionApis } from "./version-apis.ts";
import type { VersionDeps } from "./version-deps.ts";
import { VersionSync } from "./version-sync.ts";

export interface VersionControllerSpec {
  readonly place: PayloadPlace;
  /** In which time every object of the payload is looked at on the server once. */
  readonly reconcilePeriodMs: number;
  /** How often the folder is looked at for another payload. */
  readonly payloadPollMs: number;
}

const key = "version";
const backoff = { initialMs: 100, maximumMs: 30_000 };
/** A tenth of what is due in a period: few requests at a time. */
const TURNS_IN_PERIOD = 10;

/**
 * Brings the cluster to its payload and keeps it there.
 * Watches: `ClusterVersion/version`, ClusterOperators, and the payload's folder. Owns: every object of the payload but those that
 * `spec.overrides` takes out, the two definitions that it needs itself, `ClusterVersion/version`. Writes conditions: Available, Failing,
 * Progressing, Upgradeable, ReleaseAccepted, RetrievedUpdates. Deletes: what a manifest marks with `release.openshift.io/delete`.
 */
export function versionController(deps: VersionDeps, spec: VersionControllerSpec): OperatorController {
  const { clock, logger, metrics } = deps;
  const memory = createPayloadMemory(clock, spec.reconcilePeriodMs);
  const source = createPayloadSource(spec.place);
  const sync = new VersionSync({ ...deps, memory, source });
  const { promise: firstLook, resolve: looked } = Promise.withResolvers<void>();
  let apis: VersionApis | undefined;
  const controller: Controller = createController(
    { clock, logger, metrics },
    {
      name: "ClusterVersion",
      workers: 1,
      backoff,
      async sync(_key, { signal }) {
        await ensureDefinitions(deps, memory.known, signal);
        apis ??= followApis(deps, controller, key);
        await apis.waitForSync(signal);
        try {
          return await sync.run(apis, signal);
        } catch (error) {
          // Nothing that is written to is missing, unless somebody has deleted its definition.
          if (isNotFound(error)) deps.mapper.invalidate();
          throw error;
        } finally {
          looked();
        }
      },
    },
  );
  const trigger = () => controller.queue.add(key);
  return {
    name: controller.name,
    trigger,
    firstLook,
    async run(signal) {
      await source.refresh();
      trigger();
      const turnMs = spec.reconcilePeriodMs / TURNS_IN_PERIOD;
      await Promise.all([
        controller.run(signal),
        repeat({ clock, everyMs: turnMs, signal }, async () => controller.queue.addInBackground(key)),
        repeat({ clock, everyMs: spec.payloadPollMs, signal }, () => look(source, { logger, trigger })),
      ]);
    },
  };
}

async function look(
  source: PayloadSource,
  { logger, trigger }: { readonly logger: Logger; readonly trigger: () => void },
): Promise<void> {
  if (!(await source.refresh())) return;
  logger.info({}, "there is another payload");
  trigger();
}

async function repeat(
  { clock, everyMs, signal }: { readonly clock: Clock; readonly everyMs: number; readonly signal: AbortSignal },
  act: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs, signal).catch(() => {});
    if (signal.aborted) return;
    await act();
  }
}
