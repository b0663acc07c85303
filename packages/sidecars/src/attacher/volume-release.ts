import { isNotFound } from "@stowage/kube";
import type { PersistentVolume, VolumeAttachment } from "@stowage/machinery";
import { patchVolume } from "../caches/index.ts";
import type { Attaching } from "./attaching.ts";
import { removeVolumeFinalizerPatch } from "./attachment-patches.ts";
import { publicationRecords } from "./publication-record.ts";

/** The index of VolumeAttachments by the PersistentVolume that they need. */
export const attachmentsByVolume = {
  name: "attacher/persistentVolume",
  valuesOf: ({ spec }: VolumeAttachment): readonly string[] =>
    spec.source.persistentVolumeName === undefined ? [] : [spec.source.persistentVolumeName],
} as const;

/** Deleted but for the attacher's finalizer, perhaps. */
export function awaitsRelease({ metadata }: PersistentVolume, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}

/**
 * Takes the finalizer off a PersistentVolume that is being deleted when no VolumeAttachment needs it any more, and none that is gone
 * has left it published.
 */
export async function releaseVolume(
  deps: Pick<Attaching, "client" | "volumes" | "finalizer" | "driver" | "attachmentsOf">,
  name: string,
): Promise<void> {
  const volume = deps.volumes.getByKey(name);
  if (volume === undefined || !awaitsRelease(volume, deps.finalizer)) return;
  if (deps.attachmentsOf(name).length > 0) return;
  const canDetach = deps.driver.controller.has("PUBLISH_UNPUBLISH_VOLUME");
  if (canDetach && publicationRecords(volume).length > 0) return;
  const patch = removeVolumeFinalizerPatch(volume, deps.finalizer);
  if (patch === undefined) return;
  await patchVolume(deps, volume, patch).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
