import { isForbidden, isNotFound, type KubeClient, type ObjectReader } from "@stowage/kube";
import {
  type Clock,
  type Logger,
  metadataOnly,
  type PersistentVolumeClaim,
  provisioningFinalizers,
  volumeSnapshots,
} from "@stowage/machinery";
import { isWaitingFor } from "./data-source.ts";
import { hasFinalizer, unprotectSnapshot } from "./source-protection.ts";

export interface SnapshotSweeperDeps {
  readonly client: KubeClient;
  readonly claims: Pick<ObjectReader<PersistentVolumeClaim>, "list">;
  readonly clock: Clock;
  readonly logger: Logger;
}

const PAGE = 500;
const snapshotMetadata = metadataOnly(volumeSnapshots);

/**
 * Takes the finalizer `volumesnapshot-as-source-protection` from snapshots that no claim waits for any more, which happens when a
 * claim was deleted before it was provisioned. Looks now and then, page by page: too rare to keep a copy of all snapshots for.
 */
export async function runSnapshotSweeper(
  deps: SnapshotSweeperDeps,
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sweep(deps, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      // The CRDs are not installed, or the role is an old one: then nothing was protected either.
      const level = isNotFound(error) || isForbidden(error) ? "debug" : "warn";
      deps.logger[level]({ error }, "snapshots could not be looked through for finalizers that nobody needs");
    });
    await deps.clock.sleep(intervalMs, signal).catch(() => {});
  }
}

async function sweep(deps: SnapshotSweeperDeps, signal: AbortSignal): Promise<void> {
  for await (const { items } of deps.client.listPages(snapshotMetadata, { limit: PAGE, signal })) {
    for (const { metadata } of items) {
      if (!hasFinalizer({ metadata }, provisioningFinalizers.snapshotSourceProtection)) continue;
      const { namespace = "", name = "" } = metadata;
      const isNeeded = deps.claims
        .list()
        .some((claim) => claim.metadata.namespace === namespace && isWaitingFor(claim, "snapshot", name));
      if (!isNeeded) await unprotectSnapshot(deps, { namespace, name });
    }
  }
}
