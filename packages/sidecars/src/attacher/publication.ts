import type { SecretReference, VolumeAttachment } from "@stowage/machinery";
import { readSecret, secretRef } from "../secrets/index.ts";
import { attachedVolume } from "./attached-volume.ts";
import type { Attaching } from "./attaching.ts";
import { detachNodeId } from "./node-id.ts";

/** A volume that is, or may be, published to a node, as the driver calls the two. */
export interface Publication {
  readonly volumeId: string;
  readonly nodeId: string;
  readonly secret?: SecretReference;
}

/** @throws StowageError VOLUME_ATTACHMENT_UNUSABLE, NODE_NOT_REGISTERED */
export function publicationOf(
  { volumes, csiNodes, driver }: Pick<Attaching, "volumes" | "csiNodes" | "driver">,
  attachment: VolumeAttachment,
): Publication {
  const { csi } = attachedVolume(attachment, (name) => volumes.getByKey(name));
  const nodeId = detachNodeId(attachment, csiNodes.get({ name: attachment.spec.nodeName }), driver.name);
  return { volumeId: csi.volumeHandle, nodeId, secret: csi.controllerPublishSecretRef };
}

export async function unpublish(
  { client, csi, options }: Pick<Attaching, "client" | "csi" | "options">,
  { volumeId, nodeId, secret }: Publication,
  signal: AbortSignal,
): Promise<void> {
  const secrets = await readSecret(client, secretRef(secret));
  const limits = { timeoutMs: options.timeoutMs, signal };
  await csi.controller.controllerUnpublishVolume({ volumeId, nodeId, secrets }, limits);
}
