import type { VolumeAttachment } from "@stowage/machinery";
import { type Attaching, patchAttachment } from "./attaching.ts";
import { attachedPatch } from "./attachment-patches.ts";
import { letGo } from "./detach.ts";

/**
 * For drivers without ControllerPublishVolume: what is to be attached is attached already. Needs no finalizer, and takes off one
 * that an earlier version of the driver, which could attach, has left.
 */
export async function markAttached(deps: Attaching, attachment: VolumeAttachment): Promise<void> {
  if (attachment.metadata.deletionTimestamp !== undefined) {
    if (attachment.metadata.finalizers?.includes(deps.finalizer)) await letGo(deps, attachment);
  } else if (!attachment.status?.attached) {
    await patchAttachment(deps, attachment, attachedPatch(attachment, {}), "status");
  }
}
