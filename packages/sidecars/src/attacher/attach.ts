import { isConflict, type Patch } from "@stowage/kube";
import { type PersistentVolume, StowageError, type VolumeAttachment, volumeAttachments } from "@stowage/machinery";
import { patchVolume } from "../caches/index.ts";
import { readSecret, secretRef } from "../secrets/index.ts";
import { type AttachedVolume, attachedVolume } from "./attached-volume.ts";
import { type Attaching, patchAttachment } from "./attaching.ts";
import { attachErrorPatch, attachedPatch, attachIntentPatch, volumeIntentPatch } from "./attachment-patches.ts";
import { attachNodeId } from "./node-id.ts";
import { type PublicationRecord, recordOf } from "./publication-record.ts";
import { publishRequest } from "./publish-request.ts";

/**
 * Attaches the volume of a VolumeAttachment. What keeps it from being deleted while the volume may be attached is written first, so
 * that whatever is interrupted is found and detached later.
 */
export async function attach(deps: Attaching, attachment: VolumeAttachment, signal: AbortSignal): Promise<void> {
  const published = await publish(deps, attachment, signal).catch(async (error: unknown) => {
    if (!signal.aborted && !isConflict(error)) await saveError(deps, attachment, error);
    throw error;
  });
  await patchAttachment(deps, attachment, attachedPatch(attachment, published), "status");
  deps.logger.info({ volumeAttachment: attachment.metadata.name, node: attachment.spec.nodeName }, "attached");
}

async function publish(
  deps: Attaching,
  attachment: VolumeAttachment,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { client, csi, driver, options, finalizer } = deps;
  const { nodeName } = attachment.spec;
  // Everything that can be refused is refused before the finalizer: with it the VolumeAttachment could not be deleted at once.
  const volume = attachedVolume(attachment, (name) => deps.volumes.getByKey(name));
  refuseDeleted(volume.persistentVolume);
  const nodeId = attachNodeId(attachment, deps.csiNodes.get({ name: nodeName }), driver.name);
  const request = publishRequest(volume, driver, { nodeId, secrets: {}, defaultFsType: options.defaultFsType });
  const secrets = await readSecret(client, secretRef(volume.csi.controllerPublishSecretRef));
  await protectVolume(deps, volume, recordOf(attachment, nodeId));
  const intent = attachIntentPatch(attachment, finalizer, nodeId);
  if (intent === undefined) await checkStillThere(deps, attachment);
  else await writeIntent(deps, attachment, intent);
  const limits = { timeoutMs: options.timeoutMs, signal };
  const { publishContext } = await csi.controller.controllerPublishVolume({ ...request, secrets }, limits);
  return publishContext;
}

/**
 * Later, the watch tells of an end that the finalizer could not prevent (see `lost-attachments.ts`). If it has told already, it could
 * not know of the finalizer.
 */
async function writeIntent(deps: Attaching, attachment: VolumeAttachment, intent: Patch): Promise<void> {
  await patchAttachment(deps, attachment, intent);
  const { name = "", uid } = attachment.metadata;
  if (deps.attachments.getByKey(name)?.metadata.uid !== uid) throw justDeleted(name);
}

/**
 * A patch fails where there is nothing to patch. Without one the server is asked: the local copy may still have what an earlier
 * process has detached and let go of, and nobody would ever detach the volume again.
 */
async function checkStillThere(
  { client }: Attaching,
  { metadata: { name = "", uid } }: VolumeAttachment,
): Promise<void> {
  const live = await client.get(volumeAttachments, { name });
  if (live.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) throw justDeleted(name);
}

function justDeleted(name: string): StowageError {
  return new StowageError(
    "VOLUME_ATTACHMENT_UNUSABLE",
    `VolumeAttachment ${JSON.stringify(name)} has just been deleted`,
  );
}

function refuseDeleted(volume: PersistentVolume | undefined): void {
  if (volume?.metadata.deletionTimestamp === undefined) return;
  throw new StowageError(
    "VOLUME_ATTACHMENT_UNUSABLE",
    `PersistentVolume ${JSON.stringify(volume.metadata.name)} is marked for deletion`,
    { nextStep: "Delete what uses it; it cannot be attached any more." },
  );
}

async function protectVolume(
  deps: Attaching,
  { persistentVolume }: AttachedVolume,
  record: PublicationRecord,
): Promise<void> {
  const patch = persistentVolume && volumeIntentPatch(persistentVolume, deps.finalizer, record);
  if (patch !== undefined) await patchVolume(deps, persistentVolume as PersistentVolume, patch);
}

async function saveError(deps: Attaching, attachment: VolumeAttachment, error: unknown): Promise<void> {
  try {
    await patchAttachment(deps, attachment, attachErrorPatch(error, deps.clock.nowMs()), "status");
  } catch (saveError) {
    // What matters is why it could not be attached; that is thrown.
    deps.logger.warn({ volumeAttachment: attachment.metadata.name, error: saveError }, "cannot save the attach error");
  }
}
