import { type Informer, type KubeClient, keyOf, refOfKey } from "@stowage/kube";
import { type PersistentVolumeClaim, persistentVolumeClaims, provisioningFinalizers } from "@stowage/machinery";
import { type BackoffLimits, type Controller, createController, type SyncOutcome } from "@stowage/operator";
import type { SidecarDeps } from "../../sidecar.ts";
import { isWaitingFor } from "./data-source.ts";
import { hasFinalizer, removeFinalizer } from "./source-protection.ts";

export interface CloningProtectionDeps extends Pick<SidecarDeps, "client" | "clock" | "logger" | "queues"> {
  readonly claims: Informer<PersistentVolumeClaim>;
}

const { cloningProtection } = provisioningFinalizers;

/**
 * Watches claims. Takes the finalizer `cloning-protection` from a claim that is being deleted as soon as no claim waits to be
 * cloned from it. Owns that finalizer, writes nothing else, deletes nothing.
 */
export function createCloningProtection(
  deps: CloningProtectionDeps,
  { workers, backoff }: { readonly workers: number; readonly backoff: BackoffLimits },
): Controller {
  const controller = createController(
    { clock: deps.clock, logger: deps.logger, metrics: deps.queues },
    { name: "cloningprotection", workers, backoff, sync: (key) => syncClonedClaim(deps, key) },
  );
  controller.watch(deps.claims, concernedKeys);
  return controller;
}

/** The claim itself when it goes, and the claim that it was cloned from, which may have waited for it. */
function concernedKeys(claim: PersistentVolumeClaim): string[] {
  const { namespace, name = "", deletionTimestamp } = claim.metadata;
  const isGoing = deletionTimestamp !== undefined && hasFinalizer(claim, cloningProtection);
  const sourceName = claim.spec?.dataSource?.kind === "PersistentVolumeClaim" ? claim.spec.dataSource.name : undefined;
  return [
    ...(isGoing ? [keyOf({ namespace, name })] : []),
    ...(sourceName === undefined ? [] : [keyOf({ namespace, name: sourceName })]),
  ];
}

async function syncClonedClaim(
  deps: Pick<CloningProtectionDeps, "claims" | "logger"> & { readonly client: KubeClient },
  key: string,
): Promise<SyncOutcome> {
  const cached = deps.claims.objects.getByKey(key);
  if (cached?.metadata.deletionTimestamp === undefined || !hasFinalizer(cached, cloningProtection)) return undefined;
  const { namespace, name } = refOfKey(key);
  const isNeeded = deps.claims.objects
    .list()
    .some((claim) => claim.metadata.namespace === namespace && isWaitingFor(claim, "claim", name));
  if (isNeeded) return { retry: true };
  const claim = await deps.client.find(persistentVolumeClaims, { namespace, name });
  if (claim !== undefined && hasFinalizer(claim, cloningProtection))
    await removeFinalizer(deps, persistentVolumeClaims, [claim, cloningProtection]);
  return undefined;
}
