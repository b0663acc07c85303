import { isNotFound } from "@stowage/kube";
import type { VolumeAttachment } from "@stowage/machinery";
import { dropRecordOf } from "./abandoned-publications.ts";
import { type Attaching, patchAttachment } from "./attaching.ts";
import { detachErrorPatch, detachedPatch, withoutFinalizerPatch } from "./attachment-patches.ts";
import { publicationOf, unpublish } from "./publication.ts";

/** Detaches the volume of a VolumeAttachment that is being deleted, and lets go of it. */
export async function detach(deps: Attaching, attachment: VolumeAttachment, signal: AbortSignal): Promise<void> {
  try {
    await unpublish(deps, publicationOf(deps, attachment), signal);
  } catch (error) {
    if (!signal.aborted) await saveError(deps, attachment, error);
    throw error;
  }
  // Before the VolumeAttachment goes: until then it answers for the publication.
  await dropRecordOf(deps, attachment);
  await letGo(deps, attachment);
  deps.logger.info({ volumeAttachment: attachment.metadata.name, node: attachment.spec.nodeName }, "detached");
}

/**
 * The finalizer first: a VolumeAttachment without it counts as detached whatever its status says. The other way round, one that
 * says it is not attached and still has its finalizer may have been half attached, and would be detached once more.
 */
export async function letGo(
  deps: Pick<Attaching, "client" | "attachments" | "finalizer">,
  attachment: VolumeAttachment,
): Promise<void> {
  const hasFinalizer = attachment.metadata.finalizers?.includes(deps.finalizer) ?? false;
  if (!hasFinalizer && !attachment.status?.attached) return;
  try {
    const left = hasFinalizer
      ? await patchAttachment(deps, attachment, withoutFinalizerPatch(attachment, deps.finalizer))
      : attachment;
    // Without any finalizer it is gone by now, and nobody reads its status.
    if ((left.metadata.finalizers ?? []).length > 0) await patchAttachment(deps, attachment, detachedPatch(), "status");
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function saveError(deps: Attaching, attachment: VolumeAttachment, error: unknown): Promise<void> {
  try {
    await patchAttachment(deps, attachment, detachErrorPatch(error, deps.clock.nowMs()), "status");
  } catch (saveError) {
    // What matters is why it could not be detached; that is thrown.
    deps.logger.warn({ volumeAttachment: attachment.metadata.name, error: saveError }, "cannot save the detach error");
  }
}
