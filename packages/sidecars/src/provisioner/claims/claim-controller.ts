import {
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  provisioningAnnotations,
  provisioningReasons,
  type StorageClass,
  StowageError,
} from "@stowage/machinery";
import { type Controller, createController, type SyncContext, type SyncOutcome } from "@stowage/operator";
import type { SidecarDeps } from "../../sidecar.ts";
import { claimsByUid } from "../claim-index.ts";
import { desiredFailureStep, provisioningMessage } from "../failure.ts";
import { classNameOf, selectedNodeOf, specOf, uidOf, volumeNameOf } from "../requests/index.ts";
import { SLOW_RETRY_MS } from "../slow-claims.ts";
import { dataSourceOf, SourceElsewhere, sourceLabel } from "../sources/index.ts";
import { supportsTopology } from "../topology/index.ts";
import { claimStanding } from "./claim-standing.ts";
import { finishIntent } from "./gone-claim.ts";
import { type ProvisionDeps, provision } from "./provision.ts";
import type { ClaimSubject } from "./volume-plan.ts";

/**
 * Watches claims and StorageClasses; keys are the uids of claims, so that one that is gone is known by what was noted of it. Owns the
 * journal of intents; creates PVs, adds finalizers to sources, takes the selected node off claims that need another; tells by events
 * on the claim. Deletes volumes that have no PV: those whose claim went before they were done, and those that are not as asked.
 */
export function createClaimController(p: ProvisionDeps, queues: SidecarDeps["queues"]): Controller {
  const { workers, retryInitialMs: initialMs, retryMaximumMs: maximumMs } = p.options;
  const controller = createController(
    { clock: p.clock, logger: p.logger, metrics: queues },
    {
      name: "claims",
      workers,
      backoff: { initialMs, maximumMs },
      sync: (uid, context) => syncClaim(p, uid, context),
    },
  );
  p.claims.addIndex(claimsByUid.name, claimsByUid.valuesOf);
  controller.watch(p.claims, (claim) => {
    const uid = uidOf(claim);
    return specOf(claim).volumeName && !p.intents.has(uid) ? [] : [uid];
  });
  p.classes.addHandler({
    onAdd(storageClass, { isInInitialList }) {
      if (!isInInitialList) for (const claim of claimsOf(p, storageClass)) controller.queue.add(uidOf(claim));
    },
  });
  return controller;
}

/** Those that may have waited for the class: it was missing, or the driver found it invalid. */
function claimsOf({ claims }: ProvisionDeps, { metadata }: StorageClass): PersistentVolumeClaim[] {
  return claims.objects.list().filter((claim) => !specOf(claim).volumeName && classNameOf(claim) === metadata.name);
}

async function syncClaim(p: ProvisionDeps, uid: string, { signal }: SyncContext): Promise<SyncOutcome> {
  const [claim] = p.claims.objects.byIndex(claimsByUid.name, uid);
  const open = p.intents.get(uid);
  if (claim === undefined) {
    p.slow.forget(uid);
    if (open !== undefined) return await finishIntent(p, open, signal);
    p.topology.forget(uid);
    return undefined;
  }
  const storageClass = p.classes.objects.get({ name: classNameOf(claim) });
  switch (claimStanding(claim, storageClass, p.driver.name)) {
    case "bound":
      return open === undefined ? undefined : await finishIntent(p, open, signal);
    case "foreign":
    case "waitsForNode":
      return undefined;
    case "classMissing":
      return failWithoutClass(p, claim);
    case "ours":
      return await syncOurClaim(p, { claim, storageClass: storageClass as StorageClass }, signal);
  }
}

/** Kubernetes itself says so on the claim. The class may come: it is watched for. */
function failWithoutClass(p: ProvisionDeps, claim: PersistentVolumeClaim): never {
  p.metrics.provisionFailed(labelsOf(claim));
  throw new StowageError("CLASS_NOT_FOUND", `storageClass "${classNameOf(claim)}" not found`);
}

type OurClaim = Pick<ClaimSubject, "claim" | "storageClass">;

async function syncOurClaim(p: ProvisionDeps, ours: OurClaim, signal: AbortSignal): Promise<SyncOutcome> {
  const { claim, storageClass } = ours;
  const uid = uidOf(claim);
  const waitMs = p.slow.remainingMs(uid, storageClass.metadata.uid ?? "");
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  if (p.hooks.node?.shouldProvision(claim) === false) return undefined;
  const volumeName = volumeNameOf(uid, p.options);
  if (p.saver.isWaiting(volumeName)) return undefined;
  const startedMs = p.clock.monotonicMs();
  try {
    const source = dataSourceOf(claim);
    if (source?.kind === "populator") return leaveToPopulator(p, claim);
    await p.intents.load();
    const outcome = await p.names.run(volumeName, () => provision(p, { ...ours, volumeName, source }, signal));
    if (outcome === undefined) p.metrics.provisioned(labelsOf(claim), p.clock.monotonicMs() - startedMs);
    return outcome;
  } catch (error) {
    // The process ends: nobody is helped by an event about it.
    if (signal.aborted) throw error;
    p.metrics.provisionFailed(labelsOf(claim));
    return await handleFailure(p, ours, error);
  }
}

function leaveToPopulator(p: ProvisionDeps, claim: PersistentVolumeClaim): undefined {
  const message = "Assuming an external populator will provision the volume";
  p.events.event(claim, "Normal", provisioningReasons.provisioning, message);
  return undefined;
}

async function handleFailure(
  p: ProvisionDeps,
  { claim, storageClass }: OurClaim,
  error: unknown,
): Promise<SyncOutcome> {
  const hasSelectedNode = selectedNodeOf(claim) !== undefined;
  const step = desiredFailureStep(error, { supportsTopology: supportsTopology(p.driver), hasSelectedNode });
  const message = provisioningMessage(classNameOf(claim), error, step);
  p.events.event(claim, "Warning", provisioningReasons.failed, message);
  if (step === "retry") throw error;
  if (step === "slow") {
    p.slow.add(uidOf(claim), storageClass.metadata.uid ?? "");
    p.logger.warn(
      { claim: claim.metadata, error },
      "the driver finds the claim invalid; it is tried rarely from now on",
    );
    return { requeueAfterMs: SLOW_RETRY_MS };
  }
  await reschedule(p, claim, error instanceof SourceElsewhere ? error.nodeName : undefined);
  return undefined;
}

/**
 * Has the scheduler choose another node, and only that one where the volume can be nowhere else. When it cannot be said, the next try comes
 * here again.
 */
async function reschedule(
  { client, topology }: ProvisionDeps,
  claim: PersistentVolumeClaim,
  onlyNode: string | undefined,
): Promise<void> {
  topology.forget(uidOf(claim));
  const { namespace, name = "" } = claim.metadata;
  const live = await client.find(persistentVolumeClaims, { namespace, name });
  if (live === undefined || uidOf(live) !== uidOf(claim)) return;
  const { [provisioningAnnotations.selectedNode]: selected, ...others } = live.metadata.annotations ?? {};
  // Somebody has chosen anew already.
  if (selected !== selectedNodeOf(claim)) return;
  const annotations = onlyNode === undefined ? others : { ...others, [provisioningAnnotations.selectedNode]: onlyNode };
  await client.update(persistentVolumeClaims, { ...live, metadata: { ...live.metadata, annotations } });
}

function labelsOf(claim: PersistentVolumeClaim) {
  return { class: specOf(claim).storageClassName ?? "", source: sourceLabel(claim) };
}
