import type { KubeClient } from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import { ensureSnapshotCrds as ensureCrds } from "@stowage/sidecars";

/** Installs the shipped CRDs where they are missing: tests share one API server, and any of them may be the first. */
export async function ensureSnapshotCrds(client: Pick<KubeClient, "find" | "create">): Promise<void> {
  await ensureCrds({ client, clock: systemClock }, { timeoutMs: 30_000 });
}
