import { isCsiError } from "@stowage/csi";
import {
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  provisioningReasons,
  StowageError,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { ENOUGH_REFUSALS, isVerdict } from "../../driver/index.ts";
import type { Intent, OpenIntent } from "../intents/index.ts";
import { askedBytesOf, callCreateVolume, callDeleteVolume, readSecretIfPresent } from "../volumes/driver-calls.ts";
import type { ProvisionDeps } from "./provision.ts";

/**
 * Finishes a volume whose claim is gone, or has another volume: CreateVolume is repeated until the driver says how it ended, and
 * what it made is deleted, or kept with a PV if the class retains.
 */
export async function finishIntent(
  p: ProvisionDeps,
  { intent }: OpenIntent,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  return await p.names.run(intent.volumeName, async () => {
    const { claim, volumeName } = intent;
    const now = p.intents.get(claim.uid);
    if (now === undefined || p.saver.isWaiting(volumeName)) return undefined;
    // The driver was never asked.
    if (!now.mayExist) {
      p.intents.close(claim.uid);
      return undefined;
    }
    const existing = await p.client.find(persistentVolumes, { name: volumeName });
    const { claimRef, csi } = existing?.spec ?? {};
    if (claimRef?.uid === claim.uid && csi?.driver === p.driver.name) {
      // The volume is in the PV's hands, whatever becomes of it.
      p.intents.close(claim.uid);
      return undefined;
    }
    const live = await p.client.find(persistentVolumeClaims, { namespace: claim.namespace, name: claim.name });
    if (live !== undefined && isWaiting(live, claim.uid)) return { retry: true };
    return await resolve(p, intent, signal);
  });
}

/** The local copy does not have the claim yet. */
function isWaiting({ metadata, spec }: PersistentVolumeClaim, uid: string): boolean {
  return metadata.uid === uid && !spec?.volumeName;
}

async function resolve(p: ProvisionDeps, intent: Intent, signal: AbortSignal): Promise<SyncOutcome> {
  const { claim, request, retained, volumeName, secretRef } = intent;
  const secrets = await readSecretIfPresent(p, secretRef);
  const outcome = await callCreateVolume(p, { request, secrets, signal });
  if (outcome.kind === "unknown") {
    p.intents.leave(claim.uid);
    throw outcome.error;
  }
  if (outcome.kind === "refused") return settleRefused(p, intent, outcome.error);
  const { volume } = outcome;
  if (retained !== undefined) {
    await p.saver.save({ claim, volume, askedBytes: askedBytesOf(request), template: retained, secretRef });
    return undefined;
  }
  p.intents.leave(claim.uid);
  await callDeleteVolume(p, { volumeId: volume.volumeId, secrets, signal });
  p.intents.close(claim.uid);
  p.topology.forget(claim.uid);
  p.hooks.onCapacityChanged?.(intent.className, volume.accessibleTopology);
  p.logger.info({ claim, volumeName }, "deleted the volume of a claim that went before it was provisioned");
  return undefined;
}

function settleRefused(p: ProvisionDeps, intent: Intent, cause: unknown): SyncOutcome {
  const { claim, volumeName } = intent;
  if (p.intents.get(claim.uid)?.mayExist === true && isCsiError(cause) && !isVerdict(cause)) {
    p.intents.leave(claim.uid);
    throw cause;
  }
  p.intents.refuse(claim.uid);
  const refusals = p.intents.get(claim.uid)?.refusals ?? 0;
  if (refusals > 0 && refusals < ENOUGH_REFUSALS) throw cause;
  p.intents.close(claim.uid);
  p.topology.forget(claim.uid);
  if (refusals === 0) return undefined;
  const about = `the volume ${volumeName} of the claim ${claim.namespace}/${claim.name}, which is gone`;
  const error = new StowageError("VOLUME_LEFT_BEHIND", `${about}, may exist, but the driver refuses to say so`, {
    cause,
  });
  p.logger.warn({ claim, volumeName, error, nextStep: error.nextStep }, "a volume may be left behind");
  reportOnJournal(p, `${error.message}. ${error.nextStep}`);
  return undefined;
}

/** There is no other object left to tell people by. */
function reportOnJournal({ intents, events }: ProvisionDeps, message: string): void {
  if (intents.journal === undefined) return;
  const journal = { apiVersion: "v1", kind: "ConfigMap", ...intents.journal.place };
  events.event(journal, "Warning", provisioningReasons.intentUnresolved, message);
}
