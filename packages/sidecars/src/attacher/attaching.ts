import type { ObjectReader, Patch } from "@stowage/kube";
import { type CSINode, type PersistentVolume, type VolumeAttachment, volumeAttachments } from "@stowage/machinery";
import type { LatestObjects } from "../caches/index.ts";
import type { SidecarDeps } from "../sidecar.ts";
import type { LostAttachments } from "./lost-attachments.ts";
import type { AttacherOptions } from "./options.ts";

/** What attaching and detaching work with. */
export interface Attaching extends Pick<SidecarDeps, "client" | "csi" | "driver" | "clock" | "logger"> {
  readonly options: AttacherOptions;
  /** Of VolumeAttachments and PersistentVolumes. */
  readonly finalizer: string;
  readonly attachments: LatestObjects<VolumeAttachment>;
  readonly volumes: LatestObjects<PersistentVolume>;
  readonly csiNodes: ObjectReader<CSINode>;
  readonly lost: LostAttachments;
  /** The volumes that are, or may be, published for a VolumeAttachment of that name, by their records. */
  publishedFor(attachment: string): readonly PersistentVolume[];
  /** The VolumeAttachments that name a PersistentVolume. */
  attachmentsOf(volume: string): readonly VolumeAttachment[];
}

export async function patchAttachment(
  { client, attachments }: Pick<Attaching, "client" | "attachments">,
  { metadata: { name = "" } }: VolumeAttachment,
  patch: Patch,
  subresource?: "status",
): Promise<VolumeAttachment> {
  return attachments.wrote(await client.patch(volumeAttachments, { name }, patch, { subresource }));
}
