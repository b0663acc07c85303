import { isNotFound } from "@stowage/kube";
import { type PersistentVolume, type VolumeAttachment, volumeAttachments } from "@stowage/machinery";
import { patchVolume } from "../caches/index.ts";
import type { Attaching } from "./attaching.ts";
import { withoutRecordPatch } from "./attachment-patches.ts";
import { unpublish } from "./publication.ts";
import { type PublicationRecord, publicationRecords } from "./publication-record.ts";

/** The index of PersistentVolumes by the VolumeAttachments that they are published for. */
export const volumesByAttachment = {
  name: "attacher/publishedFor",
  valuesOf: (volume: PersistentVolume): readonly string[] =>
    publicationRecords(volume).map(({ attachment }) => attachment),
} as const;

/** The VolumeAttachments of a volume's records that are not in the local copy: perhaps they are gone. */
export function missingAttachments(
  { attachments, driver }: Pick<Attaching, "attachments" | "driver">,
  volume: PersistentVolume,
): string[] {
  if (volume.spec?.csi?.driver !== driver.name) return [];
  return publicationRecords(volume)
    .map(({ attachment }) => attachment)
    .filter((name) => attachments.getByKey(name) === undefined);
}

/**
 * Detaches what was published for a VolumeAttachment that is gone without having been detached, whoever published it and however
 * long ago. Before anything else is done for the name: the next VolumeAttachment of that name may want the volume at another node.
 */
export async function detachAbandoned(deps: Attaching, name: string, signal: AbortSignal): Promise<void> {
  for (const { metadata } of deps.publishedFor(name)) {
    const volume = deps.volumes.getByKey(metadata.name ?? "");
    const csi = volume?.spec?.csi;
    if (volume === undefined || csi?.driver !== deps.driver.name) continue;
    for (const record of publicationRecords(volume)) {
      if (record.attachment !== name || (await isHeld(deps, volume, record))) continue;
      const { volumeHandle: volumeId, controllerPublishSecretRef: secret } = csi;
      await unpublish(deps, { volumeId, nodeId: record.nodeId, secret }, signal);
      await dropRecord(deps, volume, record);
      const about = { volumeAttachment: name, node: record.node, persistentVolume: metadata.name };
      deps.logger.warn(about, "its VolumeAttachment had gone past the finalizer, so that the volume was detached now");
    }
  }
}

/**
 * Whether a VolumeAttachment, this one or the next, answers for the publication. The server is asked as well: the local copy may not
 * have what another process has just attached.
 */
async function isHeld(deps: Attaching, { metadata }: PersistentVolume, record: PublicationRecord): Promise<boolean> {
  const holds = ({ spec }: VolumeAttachment) =>
    spec.attacher === deps.driver.name &&
    spec.nodeName === record.node &&
    spec.source.persistentVolumeName === metadata.name;
  if (deps.attachmentsOf(metadata.name ?? "").some(holds)) return true;
  const live = await deps.client.find(volumeAttachments, { name: record.attachment });
  return live !== undefined && holds(live);
}

/** Once the driver has said that the volume is detached. */
export async function dropRecordOf(deps: Attaching, { metadata, spec }: VolumeAttachment): Promise<void> {
  const volume = deps.volumes.getByKey(spec.source.persistentVolumeName ?? "");
  const record = volume && publicationRecords(volume).find(({ attachmentUid }) => attachmentUid === metadata.uid);
  if (record !== undefined) await dropRecord(deps, volume as PersistentVolume, record);
}

async function dropRecord(deps: Attaching, volume: PersistentVolume, { node }: PublicationRecord): Promise<void> {
  await patchVolume(deps, volume, withoutRecordPatch(node)).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
