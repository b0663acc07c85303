import type { CsiClient } from "@stowage/csi";
import type { KubeClient, ObjectReader, Patch } from "@stowage/kube";
import {
  type Clock,
  type CSINode,
  type Logger,
  type PersistentVolume,
  persistentVolumes,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import type { LatestObjects } from "../caches/index.ts";
import type { DriverProfile } from "../driver/index.ts";
import type { AttacherOptions } from "./options.ts";

/** What attaching and detaching work with. */
export interface Attaching {
  readonly client: KubeClient;
  readonly csi: CsiClient;
  readonly driver: DriverProfile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: AttacherOptions;
  /** Of VolumeAttachments and PersistentVolumes. */
  readonly finalizer: string;
  readonly attachments: LatestObjects<VolumeAttachment>;
  readonly volumes: LatestObjects<PersistentVolume>;
  readonly csiNodes: ObjectReader<CSINode>;
}

export async function patchAttachment(
  { client, attachments }: Pick<Attaching, "client" | "attachments">,
  { metadata: { name = "" } }: VolumeAttachment,
  patch: Patch,
  subresource?: "status",
): Promise<VolumeAttachment> {
  return attachments.wrote(await client.patch(volumeAttachments, { name }, patch, { subresource }));
}

export async function patchVolume(
  { client, volumes }: Pick<Attaching, "client" | "volumes">,
  { metadata: { name = "" } }: PersistentVolume,
  patch: Patch,
): Promise<PersistentVolume> {
  return volumes.wrote(await client.patch(persistentVolumes, { name }, patch));
}
