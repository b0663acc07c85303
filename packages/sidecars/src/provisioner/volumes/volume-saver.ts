import type { Volume } from "@stowage/csi";
import { isAlreadyExists, isBadRequest, isInvalid } from "@stowage/kube";
import { type PersistentVolume, persistentVolumes, provisioningReasons, StowageError } from "@stowage/machinery";
import { type Controller, createController, TerminalError } from "@stowage/operator";
import type { SecretRef } from "../../secrets/index.ts";
import type { SidecarDeps } from "../../sidecar.ts";
import { claimsByUid } from "../claim-index.ts";
import type { ClaimIdentity } from "../intents/index.ts";
import type { Provisioning } from "../provisioning.ts";
import { desiredPersistentVolume, type VolumeTemplate } from "../requests/index.ts";
import { cleanUpVolume, readSecretIfPresent } from "./driver-calls.ts";

/** A volume that the driver has made, and that needs a PV. */
export interface UnsavedVolume {
  readonly claim: ClaimIdentity;
  readonly volume: Volume;
  readonly askedBytes: bigint;
  readonly template: VolumeTemplate;
  readonly secretRef?: SecretRef;
}

export interface VolumeSaver {
  readonly controller: Controller;
  /** Whether a volume of this name waits to get its PV. */
  isWaiting(volumeName: string): boolean;
  /**
   * Creates the PV; when the server cannot do it now, goes on trying in the background. Throws when it never will: then the volume
   * is deleted again. To be called by whoever holds the lock of the name.
   */
  save(unsaved: UnsavedVolume): Promise<void>;
}

export interface VolumeSaverSettings {
  readonly queues: SidecarDeps["queues"];
  /** When a PV cannot be had after all, in the background: the claim must begin anew. */
  onGivenUp(claimUid: string): void;
}

// The API server is back soon, as a rule, and users wait.
const BACKOFF_INITIAL_MS = 100;

/** Watches nothing. Creates PVs, and tells the claim. Deletes a volume that cannot have one. */
export function createVolumeSaver(p: Provisioning, { queues, onGivenUp }: VolumeSaverSettings): VolumeSaver {
  const waiting = new Map<string, UnsavedVolume>();
  const controller = createController(
    { clock: p.clock, logger: p.logger, metrics: queues },
    {
      name: "unsavedpvs",
      workers: 4,
      backoff: { initialMs: BACKOFF_INITIAL_MS, maximumMs: p.options.retryMaximumMs },
      sync: (volumeName) => p.names.run(volumeName, () => syncUnsaved(volumeName)),
    },
  );
  const syncUnsaved = async (volumeName: string) => {
    const unsaved = waiting.get(volumeName);
    if (unsaved === undefined) return;
    try {
      await createVolumeObject(p, unsaved);
      waiting.delete(volumeName);
    } catch (error) {
      if (!isHopeless(error)) throw error;
      waiting.delete(volumeName);
      onGivenUp(unsaved.claim.uid);
      throw new TerminalError(`the volume ${volumeName} cannot have a PV`, { cause: error });
    }
  };
  return {
    controller,
    isWaiting: (volumeName) => waiting.has(volumeName),
    async save(unsaved) {
      try {
        await createVolumeObject(p, unsaved);
      } catch (error) {
        if (isHopeless(error)) throw error;
        const volumeName = unsaved.template.metadata.name ?? "";
        p.logger.warn({ pv: volumeName, error }, "the PV could not be saved; its volume waits for it");
        waiting.set(volumeName, unsaved);
        controller.queue.add(volumeName);
      }
    },
  };
}

/** Errors after which trying to create the same PV again is of no use. */
function isHopeless(error: unknown): boolean {
  return error instanceof StowageError && (error.code === "VOLUME_NAME_TAKEN" || isRefused(error));
}

function isRefused(error: unknown): boolean {
  return isInvalid(error) || isBadRequest(error);
}

async function createVolumeObject(p: Provisioning, unsaved: UnsavedVolume): Promise<void> {
  const object = desiredPersistentVolume(unsaved.template, unsaved.volume, unsaved.askedBytes);
  try {
    await p.client.create(persistentVolumes, object);
  } catch (error) {
    if (isAlreadyExists(error)) await checkExisting(p, unsaved);
    else if (isRefused(error)) await giveUp(p, unsaved, error);
    else throw error;
  }
  reportSaved(p, unsaved);
}

/** The PV may be the one that an earlier try has made; or of another volume, which then must not be mistaken for this one. */
async function checkExisting(p: Provisioning, unsaved: UnsavedVolume): Promise<void> {
  const name = unsaved.template.metadata.name ?? "";
  p.intents.leave(unsaved.claim.uid);
  const existing = await p.client.find(persistentVolumes, { name });
  if (existing === undefined) throw new StowageError("VOLUME_NAME_TAKEN", `the PersistentVolume ${name} has just gone`);
  if (!isOfVolume(existing, p.driver.name, unsaved)) {
    const taken = new StowageError(
      "VOLUME_NAME_TAKEN",
      `the PersistentVolume ${name} exists, and is of another volume`,
    );
    await giveUp(p, unsaved, taken);
  }
  // Its volume goes with it, by the usual way; until then there is nothing to be had under this name.
  if (existing.metadata.deletionTimestamp !== undefined)
    throw new StowageError("VOLUME_NAME_TAKEN", `the PersistentVolume ${name} of the claim is being deleted`);
}

function isOfVolume(
  { spec }: PersistentVolume,
  driverName: string,
  { volume, claim }: Pick<UnsavedVolume, "volume" | "claim">,
): boolean {
  const { csi, claimRef } = spec ?? {};
  return csi?.driver === driverName && csi.volumeHandle === volume.volumeId && claimRef?.uid === claim.uid;
}

/** Throws the reason, when the volume is gone again. When it cannot be deleted its intent stays, so that it is tried again. */
async function giveUp(p: Provisioning, { volume, secretRef, claim }: UnsavedVolume, reason: unknown): Promise<never> {
  p.intents.leave(claim.uid);
  // From here on a failure is the driver's, and tried again.
  await cleanUpVolume(p, volume.volumeId, await readSecretIfPresent(p, secretRef));
  p.intents.close(claim.uid);
  throw reason;
}

function reportSaved(p: Provisioning, { claim, template, volume }: UnsavedVolume): void {
  p.intents.close(claim.uid);
  p.topology.forget(claim.uid);
  const [object] = p.claims.objects.byIndex(claimsByUid.name, claim.uid);
  const message = `Successfully provisioned volume ${template.metadata.name}`;
  if (object !== undefined) p.events.event(object, "Normal", provisioningReasons.succeeded, message);
  p.hooks.onCapacityChanged?.(template.spec?.storageClassName ?? "", volume.accessibleTopology);
}
